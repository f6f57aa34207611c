import type { ReactNode } from 'react';
import { useState } from 'react';
import type { SectionName } from '#src/shop/content/home/contract.ts';
import { Moment } from '#src/storefront/moment.tsx';
import { Checkbox } from '#src/ui/fields/checkbox.tsx';
import { DocumentActions, DocumentForm } from '../../kit/document/document-form.tsx';
import { readAsIs, useDocument } from '../../kit/document/use-document.ts';
import styles from './content-forms.module.css';
import { SectionPreview } from './section-preview.tsx';
import type { PreviewedSections } from './section-preview.tsx';

export interface SectionBodyProps<Body> {
  readonly body: Body;
  readonly change: (part: Partial<Body>) => void;
  /** Message of a field, by its path: `buttons.0.text`. */
  readonly messageOf: (path: string) => string | undefined;
}

interface SectionValue<Body> {
  readonly is_shown: boolean;
  readonly body: Body;
}

interface SectionEdit<Body> extends SectionValue<Body> {
  readonly version: number;
}

interface StoredSection<Body> {
  readonly version: number;
  readonly is_shown: boolean;
  readonly body: Body | null;
  readonly updated_at: string | null;
  readonly updated_by: string | null;
}

interface SectionFormProps<Body> {
  readonly name: SectionName;
  readonly title: string;
  readonly hint: string;
  readonly stored: StoredSection<Body>;
  /** The start of a section that was never stored. */
  readonly empty: Body;
  readonly save: (edit: SectionEdit<Body>) => Promise<StoredSection<Body>>;
  /** Null for a section that has no preview. */
  readonly toPreview: ((body: Body) => PreviewedSections) | null;
  /** A section that cannot be hidden. */
  readonly isAlwaysShown?: boolean;
  /** Unfolded at first. */
  readonly isFirstOpen?: boolean;
  readonly children: (props: SectionBodyProps<Body>) => ReactNode;
}

/** The form of one section, folded until it is edited. */
export function SectionForm<Body extends object>(props: SectionFormProps<Body>) {
  const {
    name,
    title,
    hint,
    stored,
    empty,
    save,
    toPreview,
    isAlwaysShown = false,
    isFirstOpen = false,
    children,
  } = props;
  const [isOpen, setIsOpen] = useState(isFirstOpen);
  const toStored = (of: StoredSection<Body>) => ({
    version: of.version,
    value: { is_shown: isAlwaysShown || (of.version > 0 && of.is_shown), body: of.body ?? empty },
  });
  const { value, set, messageOf, state } = useDocument({
    name: `home_${name}`,
    what: `“${title}”`,
    stored: toStored(stored),
    read: readAsIs<SectionValue<Body>>,
    send: async (section, { version }) => toStored(await save({ version, ...section })),
    saved: `${title} saved`,
  });
  const { is_shown: isShown, body } = value;
  const change = (part: Partial<Body>): void => set({ body: { ...body, ...part } });
  return (
    <details open={isOpen} className={styles.section} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>
        <h2>{title}</h2>
        <span className="muted small measure">
          {state.isChanged ? 'Unsaved changes' : describeState(stored.version, stored.is_shown)}
        </span>
      </summary>
      <DocumentForm
        document={state}
        className={styles.body}
        actions={<DocumentActions document={state} save={`Save ${title.toLowerCase()}`} />}
      >
        <p className="muted small measure">
          {hint}
          {stored.updated_at !== null && (
            <span>
              {' '}
              Last changed <Moment at={stored.updated_at} shows="moment" />
              {stored.updated_by === null ? '.' : ` by ${stored.updated_by}.`}
            </span>
          )}
        </p>
        {!isAlwaysShown && (
          <Checkbox checked={isShown} onChange={(event) => set({ is_shown: event.currentTarget.checked })}>
            Show this section in the shop
          </Checkbox>
        )}
        {children({ body, change, messageOf: (path) => messageOf(`body.${path}`) })}
        {toPreview && isOpen && <SectionPreview sections={toPreview(body)} />}
      </DocumentForm>
    </details>
  );
}

function describeState(version: number, isShown: boolean): string {
  if (version === 0) return 'Not set up';
  return isShown ? 'Shown' : 'Hidden';
}
