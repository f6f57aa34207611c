import type { StoredGuide } from '#src/shop/content/guide/contract.ts';
import { Section } from '#src/ui/layout/section.tsx';
import { call } from '#src/storefront/call.ts';
import { Moment } from '#src/storefront/moment.tsx';
import { ConfirmedAction } from '../../kit/confirmed-action.tsx';
import { readAsIs, useDocument } from '../../kit/document/use-document.ts';
import { MarkdownForm } from './markdown-form.tsx';
import type { MarkdownText } from './markdown-form.tsx';

const HINT =
  'Markdown, up to 15,000 characters. {payment_window}, {short_payment_window}, {late_tolerance}, {confirmations}, {refund_rule}, {shop_name} and {shop_address} follow the settings.';

const toStored = ({ version, lead, markdown }: StoredGuide) => ({ version, value: { summary: lead, markdown } });

/** The text about how to buy: the standard one until staff change it. */
export function GuideForm({ guide }: { readonly guide: StoredGuide }) {
  const document = useDocument({
    name: 'guide',
    what: 'this text',
    stored: toStored(guide),
    read: readAsIs<MarkdownText>,
    send: async ({ summary, markdown }, { version }) =>
      toStored(await call('PUT /content/guide', { body: { version, lead: summary, markdown } })),
    saved: 'How to buy saved',
  });
  const { isChanged, discard } = document.state;
  return (
    <Section title="How to buy" surface="outlined">
      <p className="muted small measure">
        {guide.is_own
          ? 'Your own text is shown.'
          : 'The standard text is shown. Its figures are those of your settings.'}
        {guide.is_own && guide.updated_at !== null && (
          <span>
            {' '}
            Last changed <Moment at={guide.updated_at} shows="moment" />
            {guide.updated_by === null ? '.' : ` by ${guide.updated_by}.`}
          </span>
        )}
      </p>
      <MarkdownForm
        document={document}
        save="Save how to buy"
        summaryField="lead"
        summaryHint="One or two sentences below the title."
        maxLength={15_000}
        hint={HINT}
      />
      {guide.is_own && !isChanged && <ResetGuide version={guide.version} onReset={discard} />}
    </Section>
  );
}

interface ResetGuideProps {
  readonly version: number;
  readonly onReset: () => void;
}

function ResetGuide({ version, onReset }: ResetGuideProps) {
  return (
    <ConfirmedAction
      button="Use the standard text"
      question="Use the standard text?"
      meaning={<p>It replaces your own text at once. Copy your text first if you may need it again.</p>}
      confirm="Use the standard text"
      done="The standard text is shown"
      onConfirm={async () => {
        await call('POST /content/guide/reset', { body: { version } });
        onReset();
      }}
    />
  );
}
