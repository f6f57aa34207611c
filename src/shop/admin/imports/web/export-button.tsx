import { useState } from 'react';
import { saveCsv } from '../../owner/web/save-csv.ts';
import { isApiFailure } from '#src/storefront/api.ts';
import { Button } from '#src/ui/button.tsx';
import { logError } from '#src/ui/log-error.ts';
import { useHydrated } from '#src/ui/use-hydrated.ts';
import styles from './import-page.module.css';
import { downloadProducts } from './transfer-file.ts';

/** Downloads the whole catalogue. */
export function ExportButton() {
  const isHydrated = useHydrated();
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const download = async () => {
    setIsBusy(true);
    setFailure(null);
    try {
      saveCsv('products.csv', await downloadProducts());
    } catch (error) {
      const isKnown = isApiFailure(error) && error.status !== 0;
      if (!isKnown) logError('the export could not be downloaded', error);
      setFailure(isKnown ? `${error.message}.` : 'The shop did not respond. Check your connection and try again.');
    }
    setIsBusy(false);
  };
  return (
    <div className={styles.upload}>
      <Button variant="secondary" onClick={() => void download()} disabled={!isHydrated} isBusy={isBusy}>
        {isBusy ? 'Preparing the file' : 'Download products as CSV'}
      </Button>
      {failure !== null && (
        <p role="alert" className={styles.failure}>
          {failure}
        </p>
      )}
    </div>
  );
}
