import { Component, type ReactNode } from "react"
import { useTranslation } from "react-i18next"
import { Alert } from "./alert"

type SectionProps = { children: ReactNode }

/** A part of a screen: when it cannot be drawn, it says so in its place and leaves the rest. */
export class Section extends Component<SectionProps, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  /** Other data may be drawn. */
  override componentDidUpdate(before: SectionProps) {
    if (this.state.failed && before.children !== this.props.children) {
      this.setState({ failed: false })
    }
  }

  override render() {
    return this.state.failed ? <SectionFailed /> : this.props.children
  }
}

function SectionFailed() {
  const { t } = useTranslation()
  return <Alert title={t("common.sectionFailed")} />
}
