/** Characters that XML 1.0 does not allow, even escaped. */
// oxlint-disable-next-line no-control-regex -- control characters are what is removed
const ILLEGAL = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g;
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Text for an element or attribute: without illegal characters, lone surrogates replaced. */
export const escapeXmlText = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(ILLEGAL, '')
    .replaceAll(/[&<>"']/g, (found) => ENTITIES[found] ?? '');

/** At most this many characters, without half a surrogate pair. */
export function truncateText(text: string, most: number): string {
  const cut = text.slice(0, most);
  return /[\uD800-\uDBFF]$/.test(cut) && cut.length < text.length ? cut.slice(0, -1) : cut;
}
