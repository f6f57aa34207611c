/**
 * A hand on a rendered page, for a fast first paint: its styles stand in the page itself. React takes over the elements by
 * their address, so the links stay in the document.
 */

/** A mark at the end keeps Vite, which loads sheets of lazy parts itself, from taking the sheet for one of its own. */
const STYLE_LINK = /<link rel="stylesheet" href="(\/assets\/[^"#]+\.css)#?"\/>/g;
const FIRST_INLINED = /<link rel="stylesheet" href="[^"]+" media="not all" disabled=""\/>/;

/** @param readStyle the text of a style sheet by its address; null leaves its link as it is. */
export function finishPage(html: string, readStyle: (href: string) => string | null): string {
  const styles: string[] = [];
  const withoutSheets = html.replaceAll(STYLE_LINK, (link, href: string) => {
    const css = readStyle(href);
    if (css === null || css.includes('</')) return link;
    styles.push(css);
    // Its presence tells React Router that the styles are there. A disabled sheet is not loaded, and the browser's look
    // ahead, which does not heed that, leaves out what is for no medium.
    return link.replace('/>', ' media="not all" disabled=""/>');
  });
  const style = styles.length > 0 ? `<style>${styles.join('')}</style>` : '';
  // Before the links: the first sheet declares the order of the layers, also among those that come with later pages.
  return withoutSheets.replace(FIRST_INLINED, (link) => `${style}${link}`);
}
