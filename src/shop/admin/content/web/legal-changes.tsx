import { useCallback, useEffect, useState } from 'react';
import type { ComparedPart, ComparedTexts } from '#src/ui/text/compare-lines.ts';
import { logError } from '#src/ui/browser/log-error.ts';
import { ErrorState } from '#src/ui/feedback/states.tsx';
import { Section } from '#src/ui/layout/section.tsx';
import { classNames } from '#src/ui/styles/class-names.ts';
import styles from './legal-changes.module.css';

/** A text with its name within a sentence. */
export interface NamedText {
  readonly name: string;
  readonly summary: string;
  readonly markdown: string;
}

interface LegalChangesProps {
  readonly before: NamedText;
  readonly after: NamedText;
}

// Line ends after the last text are no difference.
const toText = ({ summary, markdown }: NamedText): string => `${summary}\n\n${markdown.trimEnd()}`;

const count = (lines: number): string => `${lines} ${lines === 1 ? 'line' : 'lines'}`;

/** OPS-07: the differences of two versions of a text, line by line. What compares them is loaded when it is needed. */
export function LegalChanges({ before, after }: LegalChangesProps) {
  const [compared, setCompared] = useState<ComparedTexts | 'failed' | null>(null);
  const [from, to] = [toText(before), toText(after)];
  const compare = useCallback(async (): Promise<ComparedTexts | 'failed'> => {
    try {
      const { compareLines } = await import('#src/ui/text/compare-lines.ts');
      return compareLines(from, to);
    } catch (error) {
      logError('the comparison of texts was not loaded', error);
      return 'failed';
    }
  }, [from, to]);
  useEffect(() => {
    let isCurrent = true;
    void compare().then((result) => isCurrent && setCompared(result));
    return () => {
      isCurrent = false;
    };
  }, [compare]);
  return (
    <Section title={`Compared with ${after.name}`} level={3} size={16} gap={12}>
      {compared === null && <p className="muted small measure">Loading…</p>}
      {compared === 'failed' && (
        <ErrorState
          title="The comparison could not be loaded."
          onRetry={() => void compare().then((result) => setCompared(result))}
        />
      )}
      {compared !== null && compared !== 'failed' && <Comparison before={before} after={after} compared={compared} />}
    </Section>
  );
}

function Comparison({ before, after, compared }: LegalChangesProps & { readonly compared: ComparedTexts }) {
  const { parts, added, removed } = compared;
  if (parts.length === 0) return <p className="muted small measure">The text is the same.</p>;
  return (
    <>
      <p className="muted small measure">
        {`− ${count(removed)} only in ${before.name}; + ${count(added)} only in ${after.name}. The first line is the summary.`}
      </p>
      <ol className={styles.lines}>{parts.flatMap(listLines)}</ol>
    </>
  );
}

const SIGNS = { added: '+', removed: '−', same: '' } as const;
const LABELS = { added: 'Added: ', removed: 'Removed: ', same: '' } as const;

function listLines(part: ComparedPart, at: number) {
  if (part.kind === 'left-out') {
    return [
      <li key={at} className={styles.leftOut}>
        {`${count(part.count)} without changes`}
      </li>,
    ];
  }
  const { kind, lines } = part;
  const Text = ({ added: 'ins', removed: 'del', same: 'span' } as const)[kind];
  return lines.map((line, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- lines repeat, and never move
    <li key={`${at}-${index}`} className={styles.line} data-kind={kind}>
      <span aria-hidden="true" className={classNames('strong', styles.sign)}>
        {SIGNS[kind]}
      </span>
      <Text>
        {kind !== 'same' && <span className="visually-hidden">{LABELS[kind]}</span>}
        {line}
        {line === '' && kind !== 'same' && <span className={styles.empty}>(empty line)</span>}
      </Text>
    </li>
  ));
}
