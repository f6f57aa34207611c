import { useState } from 'react';
import type { ReactNode } from 'react';
import { DownloadButton } from '#src/storefront/forms/download-button.tsx';
import { Dialog } from '#src/ui/dialog/dialog.tsx';
import { NeedsScript } from '#src/ui/feedback/needs-script.tsx';
import { useHydrated } from '#src/ui/react/use-hydrated.ts';
import type { Return, ReturnPicture } from '../contract.ts';
import styles from './picture-list.module.css';
import { PrivatePicture } from './private-picture.tsx';

const toName = (index: number): string => `Picture ${index + 1} of the defect`;

interface PictureListProps {
  readonly one: Pick<Return, 'id' | 'pictures'>;
  readonly isForStaff: boolean;
  /** Below each picture. */
  readonly renderAction?: (picture: ReturnPicture, name: string) => ReactNode;
}

/** Small pictures of a defect, each of which opens in full size. */
export function PictureList({ one: { id, pictures }, isForStaff, renderAction }: PictureListProps) {
  const isHydrated = useHydrated();
  const [openId, setOpenId] = useState<string | null>(null);
  const toPath = (picture: string): string => `${isForStaff ? '/support' : ''}/returns/${id}/pictures/${picture}`;
  const openIndex = pictures.findIndex((picture) => picture.id === openId);
  const open = pictures[openIndex];
  return (
    <>
      <ul className={styles.list} aria-label="Pictures of the defect">
        {pictures.map((picture, index) => (
          <li key={picture.id} className={styles.item}>
            <button
              type="button"
              className={styles.open}
              aria-label={`Enlarge ${toName(index)}`}
              disabled={!isHydrated}
              onClick={() => setOpenId(picture.id)}
            >
              <PrivatePicture {...picture} path={toPath(picture.id)} alt={toName(index)} size="small" />
            </button>
            {renderAction?.(picture, toName(index))}
          </li>
        ))}
      </ul>
      <NeedsScript />
      <Dialog
        title={toName(Math.max(openIndex, 0))}
        isOpen={open !== undefined}
        onClose={() => setOpenId(null)}
        actions={open && <DownloadButton path={toPath(open.id)} text="Download" />}
      >
        {open && (
          <div data-wide>
            <PrivatePicture {...open} path={toPath(open.id)} alt={toName(openIndex)} size="large" />
          </div>
        )}
      </Dialog>
    </>
  );
}
