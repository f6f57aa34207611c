import { Link } from 'react-router';
import { ConfirmedAction } from '../../kit/confirmed-action.tsx';
import { readAsIs, useDocument } from '../../kit/document/use-document.ts';
import type { LegalText, PublishedVersion, TextDocument } from '#src/shop/content/legal/contract.ts';
import { Lines } from '#src/ui/layout/lines.ts';
import { Section } from '#src/ui/layout/section.tsx';
import { LEGAL_TITLES } from '#src/shop/content/legal/legal-kind.ts';
import { call } from '#src/storefront/call.ts';
import { Moment } from '#src/storefront/moment.tsx';
import { Row } from '#src/ui/layout/row.ts';
import { useMayUse } from '../../kit/use-may-use.ts';
import { LegalChanges } from './legal-changes.tsx';
import type { NamedText } from './legal-changes.tsx';
import { LegalDocument } from './legal-preview.tsx';
import { MarkdownForm } from './markdown-form.tsx';
import type { MarkdownText } from './markdown-form.tsx';

type ViewedText = PublishedVersion & Omit<NamedText, 'name'> & { readonly document: TextDocument };

interface LegalEditorProps {
  readonly text: LegalText;
  /** The version that is viewed; null for none. */
  readonly version: ViewedText | null;
  /** The version in force, unless it is viewed. */
  readonly inForce: ViewedText | null;
}

const HINT =
  'Markdown: ## heading, - list, **bold**, [link](/contact), tables. {refund_rule}, {shop_name}, {shop_address}, {payment_window}, {short_payment_window}, {late_tolerance}, {confirmations}, {order_retention}, {invoice_retention}, {message_retention} and {staff_record_retention} are replaced; {confirmation_table} in a line of its own becomes a table.';

const toStored = ({ draft: { version, summary, markdown } }: LegalText) => ({ version, value: { summary, markdown } });

/** The draft of a legal text, its preview and its published versions. */
export function LegalEditor({ text, version, inForce }: LegalEditorProps) {
  const { kind, draft, versions } = text;
  const title = LEGAL_TITLES[kind];
  const mayPublish = useMayUse('legal-texts');
  const document = useDocument({
    name: `legal_${kind}`,
    what: 'this draft',
    stored: toStored(text),
    read: readAsIs<MarkdownText>,
    send: async (changed, edit) =>
      toStored(
        await call('PUT /content/legal/{kind}', { params: { kind }, body: { version: edit.version, ...changed } }),
      ),
    saved: 'Draft saved',
  });
  const { isChanged, discard } = document.state;
  return (
    <>
      <Section title={<>{title}: draft</>} surface="outlined">
        <DraftState text={text} />
        <MarkdownForm
          document={document}
          save="Save draft"
          summaryField="summary"
          summaryHint="One sentence below the title, also for search engines."
          maxLength={60_000}
          hint={HINT}
        />
        {draft.is_changed &&
          !isChanged &&
          (mayPublish ? <Publish text={text} /> : <p className="muted small measure">Only an owner can publish it.</p>)}
      </Section>
      <VersionList kind={kind} versions={versions} />
      {version && <ViewedVersion text={text} version={version} inForce={inForce} onRestored={discard} />}
    </>
  );
}

/** What is in force, and who saved the draft. */
function DraftState({ text: { draft, versions } }: { readonly text: LegalText }) {
  const [newest] = versions;
  return (
    <p className="muted small measure">
      {newest === undefined
        ? 'Not published. The page answers “not found” and the footer has no link to it.'
        : `Version ${newest.number} is in force.`}{' '}
      {draft.is_changed && <span>The saved draft is not published yet.</span>}
      {draft.updated_at !== null && (
        <span>
          {' '}
          Draft saved <Moment at={draft.updated_at} shows="moment" />
          {draft.updated_by === null ? '.' : ` by ${draft.updated_by}.`}
        </span>
      )}
    </p>
  );
}

function Publish({ text: { kind, draft, versions } }: { readonly text: LegalText }) {
  return (
    <ConfirmedAction
      button="Publish"
      variant="primary"
      question={`Publish ${LEGAL_TITLES[kind].toLowerCase()}?`}
      meaning={
        <p>
          It becomes version {(versions[0]?.number ?? 0) + 1} and is in force at once. A published version can be
          followed by another one, but never changed.
        </p>
      }
      confirm="Publish"
      done="Published"
      onConfirm={() =>
        call('POST /content/legal/{kind}/publish', { params: { kind }, body: { version: draft.version } })
      }
    />
  );
}

function VersionList({ kind, versions }: Pick<LegalText, 'kind' | 'versions'>) {
  const [newest] = versions;
  return (
    <Section title="Published versions" surface="outlined">
      {newest === undefined ? (
        <p className="muted small measure">None yet.</p>
      ) : (
        <Lines gap={8}>
          {versions.map((one) => (
            <Row as="li" key={one.number} gap={16} rowGap={8} justify="between">
              <span>
                {`Version ${one.number}`}
                {one === newest ? ' (in force), ' : ', '}
                <Moment at={one.published_at} shows="moment" />
                {one.published_by !== null && <span>{` by ${one.published_by}`}</span>}
              </span>
              <Link to={`/admin/content?part=${kind}&version=${one.number}`} className="link accent">
                View<span className="visually-hidden"> version {one.number}</span>
              </Link>
            </Row>
          ))}
        </Lines>
      )}
    </Section>
  );
}

interface ViewedVersionProps extends Pick<LegalEditorProps, 'text' | 'inForce'> {
  readonly version: ViewedText;
  readonly onRestored: () => void;
}

function ViewedVersion({ text: { kind, draft }, version, inForce, onRestored }: ViewedVersionProps) {
  const name = `version ${version.number}`;
  // The version in force differs from the draft that may follow it.
  const following =
    inForce === null
      ? draft.is_changed && { ...draft, name: 'the saved draft' }
      : { ...inForce, name: `version ${inForce.number}, which is in force` };
  return (
    <Section title={`Version ${version.number}`} surface="outlined">
      {following && <LegalChanges key={version.number} before={{ ...version, name }} after={following} />}
      <LegalDocument document={version.document} />
      <ConfirmedAction
        button="Restore as draft"
        question={`Restore version ${version.number} as the draft?`}
        meaning={<p>It replaces the saved draft. Customers see it only after it is published.</p>}
        confirm="Restore"
        done="Restored as the draft"
        onConfirm={async () => {
          const body = { version: draft.version, number: version.number };
          await call('POST /content/legal/{kind}/restore', { params: { kind }, body });
          onRestored();
        }}
      />
    </Section>
  );
}
