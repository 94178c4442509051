"""A browser that translates pages, as Chrome and Edge do; it reports texts that became outdated."""

# Each text node is replaced by one in two <font> elements, again after every change of the page.
# React keeps the replaced node; what it writes there afterwards is not shown.
TRANSLATE_PAGE = """
const replaced = new WeakSet()
const translate = () => {
  const skipped = "script, style, textarea, title, svg, font"
  const texts = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT)
  const found = []
  while (texts.nextNode()) found.push(texts.currentNode)
  for (const text of found) {
    if (!text.data.trim() || text.parentElement.closest(skipped)) continue
    const [outer, inner] = [document.createElement("font"), document.createElement("font")]
    inner.textContent = text.data
    outer.append(inner)
    text.replaceWith(outer)
    replaced.add(text)
  }
}
const changes = { childList: true, characterData: true, subtree: true }
addEventListener("load", () => {
  translate()
  new MutationObserver(translate).observe(document.documentElement, changes)
})
const { get, set } = Object.getOwnPropertyDescriptor(Node.prototype, "nodeValue")
Object.defineProperty(Node.prototype, "nodeValue", { configurable: true, get, set(value) {
  if (replaced.has(this)) console.error(`outdated text: "${this.data}" should be "${value}"`)
  set.call(this, value)
} })
"""
