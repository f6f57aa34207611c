import { call } from '#src/storefront/call.ts';
import { describeFailure } from '#src/storefront/forms/describe-failure.ts';
import { useCallAction } from '#src/storefront/forms/use-call-action.ts';
import { reloadPage } from '#src/storefront/reload-page.ts';
import { UploadArea } from '#src/storefront/uploads/upload-area.tsx';
import { PICTURE_FORMATS } from '#src/storefront/uploads/upload-file.ts';
import { Button } from '#src/ui/controls/button.tsx';
import { Notice } from '#src/ui/display/notice.tsx';
import { Section } from '#src/ui/layout/section.tsx';
import { showToast } from '#src/ui/feedback/show-toast.ts';
import { useHydrated } from '#src/ui/react/use-hydrated.ts';
import type { Return } from '../contract.ts';
import { MAX_PICTURE_MB, MAX_PICTURES } from '../file-limits.ts';
import { takeHandedPictures } from './handed-pictures.ts';
import { PictureList } from './picture-list.tsx';

/** RET-05: pictures of the defect, which the buyer adds and removes until the items are inspected. */
export function DefectPictures({ one }: { readonly one: Return }) {
  const { id, pictures, pictures_change: mayChange } = one;
  const isHydrated = useHydrated();
  const { failed, isBusy, run } = useCallAction({ log: 'a picture was not removed', describe: describeFailure });
  if (pictures.length === 0 && !mayChange) return null;
  const remove = async (pictureId: string): Promise<void> => {
    await call('DELETE /returns/{id}/pictures/{picture_id}', { params: { id, picture_id: pictureId } });
    await reloadPage();
    showToast('success', 'Picture removed');
  };
  const isFull = pictures.length >= MAX_PICTURES;
  return (
    <Section title="Pictures of the defect" gap={12} className="screen-only">
      {mayChange && (
        <p className="muted measure">
          Only you and the shop see them. We remove the place and time at which they were taken.
        </p>
      )}
      {failed !== null && (
        <Notice role="alert" tone="bad">
          {failed}
        </Notice>
      )}
      {pictures.length > 0 && (
        <PictureList
          one={one}
          isForStaff={false}
          renderAction={(picture, name) =>
            mayChange && (
              <Button
                variant="quaternary"
                aria-label={`Remove ${name}`}
                disabled={!isHydrated || isBusy}
                onClick={() => void run(() => remove(picture.id))}
              >
                Remove
              </Button>
            )
          }
        />
      )}
      {mayChange && (
        <UploadArea
          target={{ path: `/returns/${id}/pictures`, maxMb: MAX_PICTURE_MB, ...PICTURE_FORMATS }}
          button="Add pictures"
          isSingle={false}
          fullMessage={isFull ? `A return has at most ${MAX_PICTURES} pictures. Remove one to add another one.` : null}
          takeChosen={() => takeHandedPictures(id)}
          onUploaded={() => reloadPage()}
        />
      )}
    </Section>
  );
}
