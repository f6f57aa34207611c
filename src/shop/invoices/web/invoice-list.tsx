import { Moment } from '#src/storefront/moment.tsx';
import { formatUsdAmount } from '#src/shop/format-number.ts';
import { Button } from '#src/ui/controls/button.tsx';
import { useHydrated } from '#src/ui/react/use-hydrated.ts';
import { useDownload } from '#src/storefront/forms/use-download.ts';
import type { ShownInvoice } from '../contract.ts';
import styles from './invoice-list.module.css';

interface InvoiceListProps {
  /** Oldest first. Nothing is rendered for none. */
  readonly invoices: readonly ShownInvoice[];
  /** Path of a PDF below `/api`. */
  readonly toPath: (id: string) => string;
}

/** Invoice and credit notes of an order, each with its PDF. */
export function InvoiceList({ invoices, toPath }: InvoiceListProps) {
  if (invoices.length === 0) return null;
  return (
    <section className={styles.part} aria-labelledby="invoices-title">
      <h2 id="invoices-title">{invoices.length === 1 ? 'Invoice' : 'Invoices'}</h2>
      <ul className={styles.list}>
        {invoices.map((invoice) => (
          <li key={invoice.id}>
            <p translate="no" className={styles.number}>
              {invoice.number}
            </p>
            <p className="muted">
              <Moment at={invoice.issued_at} shows="day" /> · {invoice.kind === 'credit_note' && <span>credited </span>}
              <span translate="no">${formatUsdAmount(invoice.total_usd)}</span>
            </p>
            <DownloadPdf invoice={invoice} path={toPath(invoice.id)} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Downloads a document; says why if that fails. */
export function DownloadPdf({ invoice, path }: { readonly invoice: ShownInvoice; readonly path: string }) {
  const isHydrated = useHydrated();
  const { isBusy, failure, download } = useDownload(path);
  return (
    <>
      <Button variant="secondary" onClick={() => void download()} disabled={!isHydrated} isBusy={isBusy}>
        Download {invoice.kind === 'invoice' ? 'invoice' : 'credit note'}
        <span className="visually-hidden"> {invoice.number}</span>
      </Button>
      {failure !== null && (
        <p role="alert" className={styles.failure}>
          {failure}
        </p>
      )}
    </>
  );
}
