import type { ReactNode } from 'react';
import { createElement } from 'react';
import { Link } from 'react-router';
import type { TextToken } from '#src/shop/codecs.ts';

/** `/path` and `#section` lead to this site. */
const isOwn = (href: string): boolean => /^[/#]/.test(href);

function createLink(href: string, key: number, children: readonly ReactNode[]): ReactNode {
  return isOwn(href) ? (
    <Link key={key} to={href}>
      {children}
    </Link>
  ) : (
    <a key={key} href={href} rel="nofollow noopener noreferrer">
      {children}
    </a>
  );
}

/** Elements of a text by the merchant. The server has checked tags and links. */
export function TextElements({ tokens }: { readonly tokens: readonly TextToken[] }): ReactNode {
  let at = 0;
  const readChildren = (): ReactNode[] => {
    const children: ReactNode[] = [];
    for (let token = tokens[at]; token !== undefined && token !== null; token = tokens[at]) {
      const key = at;
      at += 1;
      if (typeof token === 'string') {
        children.push(token);
        continue;
      }
      const { tag, href } = token;
      const inner = readChildren();
      // The null at the end of the element.
      at += 1;
      if (href !== undefined) children.push(createLink(href, key, inner));
      else children.push(createElement(tag, { key, ...(tag === 'th' && { scope: 'col' }) }, ...inner));
    }
    return children;
  };
  return readChildren();
}
