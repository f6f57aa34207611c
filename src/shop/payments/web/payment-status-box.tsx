import type { ReactNode } from 'react';
import { classNames } from '#src/ui/styles/class-names.ts';
import { Blocks } from './blocks.tsx';
import styles from './payment-status-box.module.css';
import { StatusIcon } from './status-icon.tsx';

type Tone = 'waiting' | 'moving' | 'good' | 'attention';

interface PaymentStatusBoxProps {
  readonly tone: Tone;
  readonly title: string;
  readonly text: string;
  /** Confirmations; null unless they are counted. */
  readonly progress: { readonly have: number; readonly need: number } | null;
  /** A box among others (default), a line below the QR code, the main thing on the page, or only text. */
  readonly layout?: 'box' | 'line' | 'stage' | 'text' | undefined;
  readonly children?: ReactNode;
}

/** Prevents a line break between an amount and its unit. */
const preventBreaks = (text: string): string => text.replaceAll(/(\d) BTC/g, '$1\u{a0}BTC');

const ICONS = { waiting: 'clock', moving: 'refresh', good: 'check', attention: 'alert' } as const;

/** Status of a payment; announced by screen readers when it changes. */
export function PaymentStatusBox({ tone, title, text, progress, layout = 'box', children }: PaymentStatusBoxProps) {
  return (
    <div className={styles.status} data-tone={tone} data-layout={layout}>
      {layout === 'stage' && progress !== null && <Blocks {...progress} />}
      {layout !== 'text' && (layout !== 'stage' || progress === null) && (
        <span className={styles.icon} data-moving={tone === 'waiting' || tone === 'moving' || undefined}>
          <StatusIcon name={ICONS[tone]} size={layout === 'stage' ? 28 : 22} />
        </span>
      )}
      <output className={styles.content}>
        <strong className={classNames(styles.title, 'strong tabular')}>{preventBreaks(title)}</strong>
        <span className={classNames(styles.text, 'muted tabular', layout === 'line' && 'small')}>
          {preventBreaks(text)}
        </span>
        {children}
      </output>
      {layout !== 'stage' && progress !== null && <Blocks {...progress} isSmall />}
    </div>
  );
}
