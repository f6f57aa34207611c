import type { MouseEvent } from 'react';
import { useEffect, useRef, useState } from 'react';
import styles from './page-contents.module.css';

export interface PageSection {
  /** Of the section element. */
  readonly id: string;
  readonly title: string;
}

interface PageContentsProps {
  readonly sections: readonly PageSection[];
}

/** Below the header and the contents, and above the middle of the window. */
const READING_AREA = '-104px 0px -55% 0px';

/** The id of the first section that is being read; the last one at the end of the page. */
function useCurrentSection(sections: readonly PageSection[]): string | undefined {
  const [current, setCurrent] = useState(sections[0]?.id);
  const ids = sections.map(({ id }) => id).join(' ');
  useEffect(() => {
    const order = ids.split(' ');
    const seen = new Set<string>();
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          if (isIntersecting) seen.add(target.id);
          else seen.delete(target.id);
        }
        const { scrollHeight, clientHeight } = document.documentElement;
        const isAtEnd = window.scrollY > 0 && window.scrollY + clientHeight >= scrollHeight - 2;
        const first = isAtEnd ? order.findLast((id) => seen.has(id)) : order.find((id) => seen.has(id));
        if (first !== undefined) setCurrent(first);
      },
      { rootMargin: READING_AREA },
    );
    for (const id of order) {
      const section = document.getElementById(id);
      if (section !== null) observer.observe(section);
    }
    return () => observer.disconnect();
  }, [ids]);
  return current;
}

/** Links to the sections of a long page, which stay in view and mark the current one. */
export function PageContents({ sections }: PageContentsProps) {
  const current = useCurrentSection(sections);
  const list = useRef<HTMLUListElement>(null);
  // On phones the list scrolls sideways; the page must not move.
  useEffect(() => {
    const link = list.current?.querySelector<HTMLElement>('[aria-current]');
    if (link) list.current?.scrollTo({ left: link.offsetLeft - 48 });
  }, [current]);
  const open = (event: MouseEvent, id: string): void => {
    const section = document.getElementById(id);
    if (section === null || event.metaKey || event.ctrlKey || event.shiftKey) return;
    // Not an entry of the history: "Back" leaves the page.
    event.preventDefault();
    section.scrollIntoView();
    section.focus({ preventScroll: true });
  };
  return (
    <nav className={styles.contents} aria-label="On this page">
      <ul ref={list}>
        {sections.map(({ id, title }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              className={styles.link}
              aria-current={id === current ? 'location' : undefined}
              onClick={(event) => open(event, id)}
            >
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
