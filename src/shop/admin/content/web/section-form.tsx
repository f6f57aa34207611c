import type { ReactNode } from 'react';
import { useRef, useState } from 'react';
import type { SectionName, StoredSections } from '#src/shop/content/home/contract.ts';
import { Moment } from '#src/storefront/moment.tsx';
import { Checkbox } from '#src/ui/checkbox.tsx';
import styles from './content-forms.module.css';
import { FormFrame } from './form-frame.tsx';
import { SectionPreview } from './section-preview.tsx';
import type { PreviewedSections } from './section-preview.tsx';
import { useDraft } from '../../kit/use-draft.ts';
import { useDraftForm } from '../../kit/use-draft-form.ts';

export interface SectionBodyProps<Body> {
  readonly body: Body;
  readonly change: (part: Partial<Body>) => void;
  /** Message of a field, by its path: `buttons.0.text`. */
  readonly messageOf: (path: string) => string | undefined;
}

interface SectionEdit<Body> {
  readonly version: number;
  readonly is_shown: boolean;
  readonly body: Body;
}

interface SectionFormProps<Body> {
  readonly name: SectionName;
  readonly title: string;
  readonly hint: string;
  readonly stored: {
    readonly version: number;
    readonly is_shown: boolean;
    readonly body: Body | null;
    readonly updated_at: string | null;
    readonly updated_by: string | null;
  };
  /** The start of a section that was never stored. */
  readonly empty: Body;
  readonly save: (edit: SectionEdit<Body>) => Promise<StoredSections>;
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
  const place = useRef<HTMLDetailsElement>(null);
  const [isOpen, setIsOpen] = useState(isFirstOpen);
  const draft = useDraft(`home_${name}`, {
    version: stored.version,
    value: { is_shown: isAlwaysShown || (stored.version > 0 && stored.is_shown), body: stored.body ?? empty },
  });
  const { is_shown: isShown, body } = draft.value;
  const { isBusy, failure, save: run, discard } = useDraftForm(draft, place);
  const submit = () => run(() => save({ version: draft.version, is_shown: isShown, body }), `${title} saved`);
  const messageOf = (path: string) => failure?.fields[`body.${path}`];
  return (
    <details
      ref={place}
      open={isOpen}
      className={styles.section}
      onToggle={(event) => setIsOpen(event.currentTarget.open)}
    >
      <summary>
        <h2>{title}</h2>
        <span className="muted small measure">
          {draft.isChanged ? 'Unsaved changes' : describeState(stored.version, stored.is_shown)}
        </span>
      </summary>
      <FormFrame
        isChanged={draft.isChanged}
        isRestored={draft.isRestored}
        isBusy={isBusy}
        failure={failure}
        save={`Save ${title.toLowerCase()}`}
        onSave={() => void submit()}
        onDiscard={discard}
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
          <Checkbox
            checked={isShown}
            onChange={(event) => draft.change({ ...draft.value, is_shown: event.currentTarget.checked })}
          >
            Show this section in the shop
          </Checkbox>
        )}
        {children({ body, change: (part) => draft.change({ ...draft.value, body: { ...body, ...part } }), messageOf })}
        {toPreview && isOpen && <SectionPreview sections={toPreview(body)} />}
      </FormFrame>
    </details>
  );
}

function describeState(version: number, isShown: boolean): string {
  if (version === 0) return 'Not set up';
  return isShown ? 'Shown' : 'Hidden';
}
