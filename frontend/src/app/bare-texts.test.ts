import { join } from "node:path"
import ts from "typescript"
import { describe, expect, it } from "vitest"

const repository = join(import.meta.dirname, "../../..")

/** The components of a front end that may return a text, which their parent cannot see. */
function componentsOfTexts(frontend: string): string[] {
  const config = ts.getParsedCommandLineOfConfigFile(
    join(repository, frontend, "tsconfig.json"),
    undefined,
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined },
  )
  const program = ts.createProgram(config?.fileNames ?? [], config?.options ?? {})
  const checker = program.getTypeChecker()
  const found: string[] = []
  const isText = (type: ts.Type): boolean =>
    type.isUnion()
      ? type.types.some(isText)
      : (type.flags & (ts.TypeFlags.StringLike | ts.TypeFlags.NumberLike)) !== 0

  const visit = (node: ts.Node): void => {
    const isFunction =
      ts.isFunctionDeclaration(node) || ts.isArrowFunction(node) || ts.isFunctionExpression(node)
    const name =
      isFunction && (node.name ?? (ts.isVariableDeclaration(node.parent) && node.parent.name))
    if (name && /^[A-Z]/.test(name.getText())) {
      const signature = checker.getSignatureFromDeclaration(node)
      if (signature && isText(checker.getReturnTypeOfSignature(signature)))
        found.push(name.getText())
    }
    ts.forEachChild(node, visit)
  }
  for (const file of program.getSourceFiles()) {
    if (file.fileName.endsWith(".tsx") && !/node_modules|\.test\./.test(file.fileName)) visit(file)
  }
  return found
}

// separate-texts.ts puts texts beside other children into elements; it does not see what a component returns.
describe.each(["frontend", "admin-ui"])("the components of %s", (frontend) => {
  it("return elements, never bare texts", () => {
    expect(componentsOfTexts(frontend)).toEqual([])
  })
})
