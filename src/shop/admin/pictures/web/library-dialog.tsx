import { useEffect, useState } from 'react';
import { call } from '#src/storefront/call.ts';
import { countPages } from '#src/shop/list-pages.ts';
import type { LibraryPicture, UploadedPicture } from '#src/shop/pictures/contract.ts';
import { Button } from '#src/ui/controls/button.tsx';
import { Dialog } from '#src/ui/dialog/dialog.tsx';
import { logError } from '#src/ui/browser/log-error.ts';
import { Picture } from '#src/ui/graphics/picture.tsx';
import { Row } from '#src/ui/layout/row.ts';
import { EmptyState, ErrorState } from '#src/ui/feedback/states.tsx';
import styles from './library-dialog.module.css';

interface LibraryDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onChosen: (picture: UploadedPicture) => void;
}

interface LoadedPage {
  readonly page: number;
  readonly pictures: readonly LibraryPicture[];
  readonly total: number;
}

/** Chooses one of the uploaded pictures, newest first. */
export function LibraryDialog({ isOpen, onClose, onChosen }: LibraryDialogProps) {
  // A new object loads the page again.
  const [request, setRequest] = useState({ page: 1 });
  const [loaded, setLoaded] = useState<LoadedPage | null>(null);
  const [isFailed, setIsFailed] = useState(false);
  useEffect(() => {
    if (!isOpen) return undefined;
    const abort = new AbortController();
    const { signal } = abort;
    const load = async (): Promise<void> => {
      setIsFailed(false);
      try {
        const query = { page: String(request.page) };
        const { pictures, total } = await call('GET /pictures', { query }, { signal });
        setLoaded({ page: request.page, pictures, total });
      } catch (error) {
        if (signal.aborted) return;
        logError('the picture library could not be loaded', error);
        setIsFailed(true);
      }
    };
    void load();
    return () => abort.abort();
  }, [isOpen, request]);
  const { page } = request;
  const last = countPages(loaded?.total ?? 0);
  return (
    <Dialog title="Picture library" isOpen={isOpen} onClose={onClose}>
      {isFailed && <ErrorState title="The pictures could not be loaded." onRetry={() => setRequest({ page })} />}
      {!isFailed && loaded === null && <p className="muted">Loading…</p>}
      {!isFailed && loaded?.total === 0 && (
        <EmptyState title="There are no uploaded pictures.">
          <p>Close this and add the first one.</p>
        </EmptyState>
      )}
      {!isFailed && loaded !== null && (
        <ul className={styles.pictures} aria-busy={loaded.page !== page}>
          {loaded.pictures.map((picture) => (
            <li key={picture.id}>
              <button type="button" className={styles.picture} onClick={() => onChosen(picture)}>
                <Picture path={picture.path} alt="" sizes="140px" />
                <span>
                  {picture.alt || `${picture.width} × ${picture.height}`}
                  <span className="visually-hidden"> Choose this picture</span>
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {last > 1 && (
        <Row justify="between">
          <Button variant="secondary" disabled={page === 1} onClick={() => setRequest({ page: page - 1 })}>
            Newer
          </Button>
          <output>
            Page {page} of {last}
          </output>
          <Button variant="secondary" disabled={page >= last} onClick={() => setRequest({ page: page + 1 })}>
            Older
          </Button>
        </Row>
      )}
    </Dialog>
  );
}
