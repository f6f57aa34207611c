import type { TicketStatus } from '../contract.ts';
import styles from './status-label.module.css';

const LABELS: Readonly<Record<TicketStatus, string>> = {
  open: 'Open',
  in_progress: 'In Progress',
  closed: 'Closed',
};

export function StatusLabel({ status }: { readonly status: TicketStatus }) {
  return (
    <span className={styles.status} data-status={status}>
      {LABELS[status]}
    </span>
  );
}
