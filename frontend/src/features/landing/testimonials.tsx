import { Section } from "./section"
import type { LandingTexts } from "./texts"

type TestimonialsProps = { title: string; opinions: LandingTexts["opinions"] }

/** Opinions of customers; samples until operators replace locales/{pl,en}/testimonials.json. */
export function Testimonials({ title, opinions }: TestimonialsProps) {
  return (
    <Section
      id="testimonials"
      title={
        <span className="flex flex-wrap items-center gap-x-4 gap-y-2">
          {title}
          {opinions.notice && (
            <span className="rounded-full bg-caution-soft px-3 py-1 text-sm font-semibold tracking-normal text-caution-ink">
              {opinions.notice}
            </span>
          )}
        </span>
      }
    >
      <ul className="mt-10 grid gap-x-10 gap-y-10 md:grid-cols-3">
        {opinions.items.map(({ text, name, role }) => (
          <li key={name} className="flex">
            <figure className="flex flex-col border-l-3 border-brand pl-6">
              <blockquote className="text-pretty">{text}</blockquote>
              <figcaption className="mt-auto pt-5 text-sm">
                <span className="font-semibold">{name}</span>
                <span className="block text-ink-soft">{role}</span>
              </figcaption>
            </figure>
          </li>
        ))}
      </ul>
    </Section>
  )
}
