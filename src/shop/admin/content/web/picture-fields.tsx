import type { ShownPicture } from '#src/shop/content/home/contract.ts';
import { isUploadPath, UPLOAD_WIDTHS } from '#src/shop/pictures/picture-url.ts';
import { PictureField } from '../../pictures/web/picture-field.tsx';
import type { PictureValue } from '../../pictures/order-pictures.ts';

const MAX_ALT_LENGTH = 200;

interface PictureFieldsProps {
  readonly label?: string;
  readonly hint?: string;
  readonly picture: ShownPicture;
  /** Path of the field in the section. */
  readonly path: string;
  readonly messageOf: (path: string) => string | undefined;
  readonly onChange: (picture: ShownPicture) => void;
}

function toShownPicture(chosen: PictureValue | undefined, before: ShownPicture): ShownPicture {
  if (chosen === undefined) return { path: '', alt: '', widths: [] };
  const { path, alt } = chosen;
  const ownWidths = path === before.path ? before.widths : [];
  return { path, alt: alt.slice(0, MAX_ALT_LENGTH), widths: isUploadPath(path) ? [...UPLOAD_WIDTHS] : ownWidths };
}

/** One picture of a section, with its alternative text. */
export function PictureFields({ label = 'Picture', hint, picture, path, messageOf, onChange }: PictureFieldsProps) {
  return (
    <PictureField
      label={label}
      {...(hint !== undefined && { hint })}
      maximum={1}
      value={picture.path === '' ? [] : [picture]}
      message={messageOf(`${path}.path`) ?? messageOf(`${path}.alt`) ?? null}
      onChange={(value) => onChange(toShownPicture(value.at(-1), picture))}
    />
  );
}

interface PathFieldProps {
  readonly label: string;
  readonly path: string;
  readonly message: string | null;
  readonly onChange: (path: string) => void;
}

/** A picture without an alternative text of its own. */
export function PathField({ label, path, message, onChange }: PathFieldProps) {
  return (
    <PictureField
      label={label}
      maximum={1}
      hasAlt={false}
      value={path === '' ? [] : [{ path, alt: '', ...(!isUploadPath(path) && { widths: [] }) }]}
      message={message}
      onChange={(value) => onChange(value.at(-1)?.path ?? '')}
    />
  );
}
