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
const READING_TOP = 120;
const READING_AREA = `-${READING_TOP}px 0px -55% 0px`;

function isAboveReading(id: string): boolean {
  const section = document.getElementById(id);
  return section !== null && section.getBoundingClientRect().top < READING_TOP;
}

/** The last section that begins above the reading area, such as between two sections; at the top of the page the first. */
const findAbove = (ids: readonly string[]): string | undefined => ids.findLast(isAboveReading) ?? ids[0];

/** The reader moves the page, or something else in it. */
const MOVES = ['wheel', 'touchmove', 'keydown'] as const;

/**
 * The id of the first section that is being read; the last one at the end of the page. A chosen one stays the current
 * one until the reader moves on, since the last sections cannot be scrolled to the top.
 */
function useCurrentSection(sections: readonly PageSection[]) {
  const [current, setCurrent] = useState(sections[0]?.id);
  const chosen = useRef(false);
  useEffect(() => {
    const release = (): void => {
      chosen.current = false;
    };
    for (const move of MOVES) window.addEventListener(move, release, { passive: true });
    return () => {
      for (const move of MOVES) window.removeEventListener(move, release);
    };
  }, []);
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
        mark();
      },
      { rootMargin: READING_AREA },
    );
    // The end of the page may be reached without a change of what is seen.
    const mark = (): void => {
      const { scrollHeight, clientHeight } = document.documentElement;
      const isAtEnd = window.scrollY > 0 && window.scrollY + clientHeight >= scrollHeight - 2;
      const first = isAtEnd ? order.at(-1) : (order.find((id) => seen.has(id)) ?? findAbove(order));
      if (first !== undefined && !chosen.current) setCurrent(first);
    };
    window.addEventListener('scroll', mark, { passive: true });
    for (const id of order) {
      const section = document.getElementById(id);
      if (section !== null) observer.observe(section);
    }
    return () => {
      observer.disconnect();
      window.removeEventListener('scroll', mark);
    };
  }, [ids]);
  const choose = (id: string): void => {
    chosen.current = true;
    setCurrent(id);
  };
  return { current, choose };
}

/** @returns whether the page shows it now, and not another tab */
function openSection(event: MouseEvent, id: string): boolean {
  const section = document.getElementById(id);
  if (section === null || event.metaKey || event.ctrlKey || event.shiftKey) return false;
  // Not an entry of the history: "Back" leaves the page.
  event.preventDefault();
  section.scrollIntoView();
  section.focus({ preventScroll: true });
  return true;
}

/** Links to the sections of a long page, which stay in view and mark the current one. */
export function PageContents({ sections }: PageContentsProps) {
  const { current, choose } = useCurrentSection(sections);
  const list = useRef<HTMLUListElement>(null);
  // On phones the list scrolls sideways; the page must not move.
  useEffect(() => {
    const link = list.current?.querySelector<HTMLElement>(`[href="#${current}"]`);
    if (link) list.current?.scrollTo({ left: link.offsetLeft - 48 });
  }, [current]);
  return (
    <nav className={styles.contents} aria-label="On this page">
      <ul ref={list}>
        {sections.map(({ id, title }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              className={styles.link}
              aria-current={id === current ? 'location' : undefined}
              onClick={(event) => {
                if (openSection(event, id)) choose(id);
              }}
            >
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
