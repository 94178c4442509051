import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import ts from "typescript"
import { describe, expect, it } from "vitest"

const repository = join(import.meta.dirname, "../../..")

/** The components of a front end that may return a text, which their parent cannot see. */
function componentsOfTexts(frontend: string): string[] {
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    const isFunction =
      ts.isFunctionDeclaration(node) || ts.isArrowFunction(node) || ts.isFunctionExpression(node)
    const name =
      isFunction && (node.name ?? (ts.isVariableDeclaration(node.parent) && node.parent.name))
    if (name && /^[A-Z]/.test(name.getText()) && !returnsElements(node)) found.push(name.getText())
    ts.forEachChild(node, visit)
  }
  for (const path of globSync(`${frontend}/{src,dev}/**/*.tsx`, { cwd: repository })) {
    if (path.includes(".test.")) continue
    const text = readFileSync(join(repository, path), "utf8")
    visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true))
  }
  return found
}

/** Whether each value that a function returns is visibly an element, a list of them, or nothing. */
function returnsElements({ body }: ts.FunctionLikeDeclaration): boolean {
  if (!body || !ts.isBlock(body)) return isElement(body)
  const isReturned = (node: ts.Node): boolean =>
    ts.isReturnStatement(node)
      ? isElement(node.expression)
      : ts.isFunctionLike(node) || !ts.forEachChild(node, (child) => !isReturned(child))
  return isReturned(body)
}

function isElement(value: ts.Node | undefined): boolean {
  if (!value || value.kind === ts.SyntaxKind.NullKeyword) return true
  if (ts.isParenthesizedExpression(value)) return isElement(value.expression)
  if (ts.isConditionalExpression(value)) return [value.whenTrue, value.whenFalse].every(isElement)
  if (ts.isCallExpression(value) && /\.map$/.test(value.expression.getText()))
    return value.arguments.some((each) => ts.isArrowFunction(each) && returnsElements(each))
  if (ts.isIdentifier(value)) {
    const component = ts.findAncestor(value, ts.isFunctionLike)?.getText() ?? ""
    const constants = [
      ...component.matchAll(RegExp(`const ${value.text} = (\\(?\\s*<[A-Z])?`, "g")),
    ]
    return constants.length > 0 && constants.every(([, element]) => element)
  }
  return ts.isJsxElement(value) || ts.isJsxSelfClosingElement(value) || ts.isJsxFragment(value)
}

// separate-texts.ts puts texts beside other children into elements; it does not see what a component returns.
describe.each(["frontend", "admin-ui"])("the components of %s", (frontend) => {
  it("return elements, never bare texts", () => {
    expect(componentsOfTexts(frontend)).toEqual([])
  })
})
