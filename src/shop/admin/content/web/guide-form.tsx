import { useRef } from 'react';
import type { StoredGuide } from '#src/shop/content/guide/contract.ts';
import { Section } from '#src/ui/section.tsx';
import { call } from '#src/storefront/call.ts';
import { Moment } from '#src/storefront/moment.tsx';
import { ConfirmedAction } from '../../kit/confirmed-action.tsx';
import { MarkdownForm } from './markdown-form.tsx';
import { useDraft } from '../../kit/use-draft.ts';

const HINT =
  'Markdown, up to 15,000 characters. {payment_window}, {short_payment_window}, {late_tolerance}, {confirmations}, {refund_rule}, {shop_name} and {shop_address} follow the settings.';

/** The text about how to buy: the standard one until staff change it. */
export function GuideForm({ guide }: { readonly guide: StoredGuide }) {
  const place = useRef<HTMLElement>(null);
  const draft = useDraft('guide', {
    version: guide.version,
    value: { summary: guide.lead, markdown: guide.markdown },
  });
  return (
    <Section title="How to buy" ref={place} surface="outlined">
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
        draft={draft}
        place={place}
        save="Save how to buy"
        done="How to buy saved"
        onSave={({ summary, markdown }, version) =>
          call('PUT /content/guide', { body: { version, lead: summary, markdown } })
        }
        summaryField="lead"
        summaryHint="One or two sentences below the title."
        maxLength={15_000}
        hint={HINT}
      />
      {guide.is_own && !draft.isChanged && <ResetGuide version={guide.version} onReset={draft.discard} />}
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
