import { useState } from 'react';
import { isApiFailure } from '#src/storefront/api.ts';
import { Button } from '#src/ui/button.tsx';
import { logError } from '#src/ui/log-error.ts';
import { useHydrated } from '#src/ui/use-hydrated.ts';
import { downloadText } from '../../imports/web/transfer-file.ts';
import { saveCsv } from '../../owner/web/save-csv.ts';
import styles from './sales-page.module.css';

interface DownloadSalesProps {
  readonly query: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Downloads the shown figures. */
export function DownloadSales({ query, text }: DownloadSalesProps) {
  const isHydrated = useHydrated();
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const download = async () => {
    setIsBusy(true);
    setFailure(null);
    try {
      saveCsv('sales.csv', await downloadText(`/api/exports/sales?${new URLSearchParams(query).toString()}`));
    } catch (error) {
      const isKnown = isApiFailure(error) && error.status !== 0;
      if (!isKnown) logError('the sales could not be downloaded', error);
      setFailure(isKnown ? `${error.message}.` : 'The shop did not respond. Check your connection and try again.');
    }
    setIsBusy(false);
  };
  return (
    <div className={styles.download}>
      <Button variant="secondary" onClick={() => void download()} disabled={!isHydrated} isBusy={isBusy}>
        {text}
      </Button>
      {failure !== null && (
        <p role="alert" className={styles.failure}>
          {failure}
        </p>
      )}
    </div>
  );
}
