import type { Return } from '#src/shop/returns/contract.ts';
import { MAX_LABEL_MB } from '#src/shop/returns/file-limits.ts';
import { call } from '#src/storefront/call.ts';
import { DownloadButton } from '#src/storefront/forms/download-button.tsx';
import { reloadPage } from '#src/storefront/reload-page.ts';
import { UploadArea } from '#src/storefront/uploads/upload-area.tsx';
import { Row } from '#src/ui/layout/row.ts';
import { Section } from '#src/ui/layout/section.tsx';
import { showToast } from '#src/ui/feedback/show-toast.ts';
import { ConfirmedAction } from '../../kit/confirmed-action.tsx';
import { formatBytes } from '../../pictures/format-bytes.ts';
import { ReturnTextForm } from './return-text-form.tsx';

const MAX_LABEL = 500;
const LABEL_FORMATS = { accept: 'application/pdf,image/png,image/jpeg', formats: 'PDF, PNG or JPEG' } as const;

/** OPS-28: a label that the shop pays for, as a file or a link. */
export function ShippingLabel({ one }: { readonly one: Return }) {
  const { actions, id, label_file: file, version } = one;
  const mayChange = actions.includes('send');
  if (!mayChange && file === null) return null;
  return (
    <Section title="Label" surface="outlined">
      {file !== null && <LabelFile one={one} file={file} mayChange={mayChange} />}
      {mayChange && (
        <>
          <UploadArea
            target={{
              path: `/support/returns/${id}/label-file?version=${version}`,
              maxMb: MAX_LABEL_MB,
              isScaled: false,
              ...LABEL_FORMATS,
            }}
            button={file === null ? 'Upload label' : 'Replace label'}
            isSingle
            fullMessage={null}
            onUploaded={async () => {
              await reloadPage();
              showToast('success', 'Label saved');
            }}
          />
          <ReturnTextForm
            one={one}
            name="label_url"
            label="Address of the label"
            hint="Instead of a file: a page or file of the carrier, with https://. The buyer sees it as a link."
            maxLength={MAX_LABEL}
            isRequired={false}
            button="Save label"
            saved="Label saved"
            send={(text, seen) =>
              call('PUT /support/returns/{id}/label', { params: { id }, body: { version: seen, label_url: text } })
            }
          />
        </>
      )}
    </Section>
  );
}

interface LabelFileProps {
  readonly one: Return;
  readonly file: NonNullable<Return['label_file']>;
  readonly mayChange: boolean;
}

/** The label that was uploaded. */
function LabelFile({ one: { id, version }, file, mayChange }: LabelFileProps) {
  return (
    <>
      <p>
        {file.type === 'application/pdf' ? 'PDF' : 'JPEG'}, {formatBytes(file.bytes)}. The buyer can download it on the
        page of the return.
      </p>
      <Row>
        <DownloadButton path={`/support/returns/${id}/label-file`} text="Download label" />
        {mayChange && (
          <ConfirmedAction
            button="Remove label"
            isDestructive
            question="Remove this label?"
            meaning={<p>The buyer can’t download it any more.</p>}
            confirm="Remove label"
            done="Label removed"
            onConfirm={() => call('DELETE /support/returns/{id}/label-file', { params: { id }, body: { version } })}
          />
        )}
      </Row>
    </>
  );
}
