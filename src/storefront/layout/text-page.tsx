import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { classNames } from '#src/ui/styles/class-names.ts';
import elementStyles from './text-elements.module.css';
import styles from './text-page.module.css';

interface TextSection {
  /** Fragment of the URL: `#id`. */
  readonly id: string;
  readonly title: string;
  readonly body: ReactNode;
}

interface TextPageProps {
  readonly title: string;
  /** Summary in one or two sentences. */
  readonly lead: ReactNode;
  /** Effective date of the text. */
  readonly updated?: string;
  /** Before the first section. */
  readonly intro?: ReactNode;
  readonly sections?: readonly TextSection[];
  /** Next step, at the end of the text. */
  readonly end?: ReactNode;
  /** Below the sections, in full width. */
  readonly children?: ReactNode;
}

const NONE: readonly TextSection[] = [];
/** Number of sections from which a page has a table of contents. */
const CONTENTS_FROM_SECTIONS = 4;

/** A text page: title, summary and sections. */
export function TextPage({ title, lead, updated, intro, sections = NONE, end, children }: TextPageProps) {
  const isLong = sections.length >= CONTENTS_FROM_SECTIONS;
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1>{title}</h1>
        <p className={styles.lead}>{lead}</p>
        {updated !== undefined && <p className={styles.updated}>{`Last updated on ${updated}`}</p>}
      </header>
      {(sections.length > 0 || intro !== undefined) && (
        <div className={styles.columns} data-long={isLong || undefined}>
          {isLong && (
            <nav aria-label="On this page" className={styles.contents}>
              <p aria-hidden="true">On this page</p>
              <ol>
                {sections.map(({ id, title: name }) => (
                  <li key={id}>
                    <Link to={`#${id}`}>{name}</Link>
                  </li>
                ))}
              </ol>
            </nav>
          )}
          <div className={classNames(styles.text, elementStyles.elements)}>
            {intro !== undefined && <div>{intro}</div>}
            {sections.map(({ id, title: name, body }) => (
              <section key={id} id={id} aria-labelledby={`${id}-title`}>
                <h2 id={`${id}-title`}>{name}</h2>
                {body}
              </section>
            ))}
            {end !== undefined && <div>{end}</div>}
          </div>
        </div>
      )}
      {children}
    </div>
  );
}
