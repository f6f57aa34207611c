import { useState } from 'react';
import type { BulkPreview, WireBulkChange } from '#src/shop/catalogue/editing/contract.ts';
import { formatUse } from '#src/shop/catalogue/editing/structure-edit.ts';
import { call } from '#src/storefront/call.ts';
import { describeFailure } from '#src/storefront/forms/describe-failure.ts';
import { useCallAction } from '#src/storefront/forms/use-call-action.ts';
import { describeByField, useCallForm } from '#src/storefront/forms/use-call-form.ts';
import { reloadPage } from '#src/storefront/reload-page.ts';
import { Button } from '#src/ui/controls/button.tsx';
import { Dialog } from '#src/ui/dialog/dialog.tsx';
import { Field, Select } from '#src/ui/fields/field.tsx';
import type { Action } from '#src/ui/form/use-action.ts';
import { Stack } from '#src/ui/layout/stack.ts';
import { showToast } from '#src/ui/feedback/show-toast.ts';
import { Row } from '#src/ui/layout/row.ts';
import { Lines } from '#src/ui/layout/lines.ts';
import { classNames } from '#src/ui/styles/class-names.ts';
import { readDollars, readPercent } from '../parse-dollars.ts';
import styles from './catalogue.module.css';
import listStyles from './products-page.module.css';

interface BulkEditorProps {
  readonly selection: { readonly ids: string[] } | { readonly filter: object };
  readonly count: number;
  readonly categories: readonly { readonly id: string; readonly name: string }[];
  readonly onDone: () => void;
}

const KINDS = {
  publish: 'Publish',
  withdraw: 'Withdraw',
  category: 'Change category',
  'price-set': 'Set base price',
  'price-add': 'Add to prices',
  'price-percent': 'Change prices by percent',
} as const;
type Kind = keyof typeof KINDS;
const isKind = (text: string): text is Kind => Object.hasOwn(KINDS, text);

const AMOUNTS: Readonly<Record<string, { readonly label: string; readonly hint: string }>> = {
  'price-set': { label: 'Base price in USD', hint: 'Variants with a price of their own keep it' },
  'price-add': {
    label: 'Amount in USD',
    hint: 'With a minus sign to reduce. Also changes prices of single variants. Increases of options stay',
  },
  'price-percent': {
    label: 'Percent',
    hint: '-10 is 10% off every price: base prices, increases of options and prices of single variants, rounded to cents',
  },
};

function toChange(kind: Kind, category: string, amount: number): WireBulkChange {
  switch (kind) {
    case 'publish':
    case 'withdraw':
      return { kind };
    case 'category':
      return { kind, category_id: category };
    case 'price-percent':
      return { kind, percent: amount };
    default:
      return { kind, usd: amount };
  }
}

/** Chooses one change for all selected products, shows what it does, and applies it. */
export function BulkEditor({ selection, count, categories, onDone }: BulkEditorProps) {
  const [kind, setKind] = useState<Kind>('publish');
  const [category, setCategory] = useState(categories[0]?.id ?? '');
  const [amount, setAmount] = useState('');
  const [previewed, setPreviewed] = useState<{ change: WireBulkChange; preview: BulkPreview } | null>(null);
  const field = AMOUNTS[kind];
  const readAmount = kind === 'price-percent' ? readPercent : readDollars;
  const { ref, submit, isBusy, failure, messageOf, show } = useCallForm({
    log: 'the changes of products were not checked',
    read: () => (field ? readAmount(amount, 'Enter a number such as 10 or -2.50') : { ok: true as const, value: 0 }),
    check: (read) => (read.ok ? {} : { amount: read.problem }),
    send: async (read) => {
      const change = toChange(kind, category, read.ok ? read.value : 0);
      const preview = await call('POST /catalogue/bulk-edits/preview', { body: { ...selection, change } });
      applying.show(null);
      setPreviewed({ change, preview });
    },
    describe: (error) => {
      const { problems } = describeByField(error);
      const problem = problems['change.usd'] ?? problems['change.percent'];
      return problem ? { text: null, problems: { amount: problem } } : { text: describeFailure(error), problems: {} };
    },
  });
  const applying = useCallAction({ log: 'products were not changed', describe: describeFailure });
  const apply = async (): Promise<void> => {
    if (previewed === null) return;
    const { change, preview } = previewed;
    const products = preview.changes.map(({ id, version }) => ({ id, version }));
    if (!(await applying.run(() => call('POST /catalogue/bulk-edits', { body: { products, change } })))) return;
    setPreviewed(null);
    showToast('success', `${products.length} changed`);
    onDone();
    await reloadPage();
  };
  return (
    <Stack as="section" gap={8} aria-label="Change the selected products">
      <Row as="form" ref={ref} align="end" rowGap={8} className={styles.line} noValidate onSubmit={submit}>
        <ChangeFields
          {...{ count, categories, kind, category, amount }}
          amountProblem={messageOf('amount')}
          onKind={(chosen) => {
            setKind(chosen);
            show(null);
          }}
          onCategory={setCategory}
          onAmount={setAmount}
        />
        <Button type="submit" variant="secondary" isBusy={isBusy}>
          Review changes
        </Button>
      </Row>
      {failure !== null && (
        <p role="alert" className="danger small measure">
          {failure}
        </p>
      )}
      <ReviewDialog
        preview={previewed?.preview ?? null}
        applying={applying}
        onCancel={() => setPreviewed(null)}
        onApply={() => void apply()}
      />
    </Stack>
  );
}

interface ChangeFieldsProps extends Pick<BulkEditorProps, 'count' | 'categories'> {
  readonly kind: Kind;
  readonly category: string;
  readonly amount: string;
  readonly amountProblem: string | undefined;
  readonly onKind: (kind: Kind) => void;
  readonly onCategory: (id: string) => void;
  readonly onAmount: (amount: string) => void;
}

/** What to change, and to what. */
function ChangeFields(props: ChangeFieldsProps) {
  const { count, categories, kind, category, amount, amountProblem, onKind, onCategory, onAmount } = props;
  const field = AMOUNTS[kind];
  return (
    <>
      <Select
        label={`Change ${count} selected`}
        value={kind}
        onChange={({ target }) => {
          if (isKind(target.value)) onKind(target.value);
        }}
      >
        {Object.entries(KINDS).map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </Select>
      {kind === 'category' && (
        <Select label="New category" value={category} onChange={({ target }) => onCategory(target.value)}>
          {categories.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      )}
      {field && (
        <Field
          label={field.label}
          hint={field.hint}
          value={amount}
          inputMode="decimal"
          maxLength={14}
          message={amountProblem}
          onChange={({ target }) => onAmount(target.value)}
        />
      )}
    </>
  );
}

interface ReviewDialogProps {
  /** Null: closed. */
  readonly preview: BulkPreview | null;
  readonly applying: Action<string>;
  readonly onCancel: () => void;
  readonly onApply: () => void;
}

function ReviewDialog({ preview, applying, onCancel, onApply }: ReviewDialogProps) {
  const count = preview?.changes.length ?? 0;
  return (
    <Dialog
      title="Review changes"
      isOpen={preview !== null}
      onClose={onCancel}
      actions={
        <>
          <Button variant="secondary" onClick={onCancel}>
            Cancel
          </Button>
          <Button onClick={onApply} isBusy={applying.isBusy} disabled={count === 0}>
            Change {formatUse(count)}
          </Button>
        </>
      }
    >
      {preview !== null && <Preview preview={preview} />}
      {applying.failed !== null && (
        <p role="alert" className="danger small measure">
          {applying.failed}
        </p>
      )}
    </Dialog>
  );
}

/** Prices that change by half or more, with both numbers. */
function LargeChanges({ changes }: Pick<BulkPreview, 'changes'>) {
  const large = changes.flatMap(({ id, name, large_changes: steps }) => steps.map((step) => ({ id, name, ...step })));
  if (large.length === 0) return null;
  return (
    <>
      <p className="danger small measure">
        {large.length === 1 ? '1 price changes' : `${large.length} prices change`} by half or more. Check both numbers:
      </p>
      <Lines
        gap={8}
        isFramed
        className={classNames('tabular wrap-anywhere', listStyles.changes)}
        tabIndex={0}
        aria-label="Prices that change by half or more"
      >
        {large.map(({ id, name, before, after }, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- two variants can have the same prices
          <li key={`${id} ${at}`}>
            <span>{name}</span>
            <span>
              {before} → {after}
            </span>
          </li>
        ))}
      </Lines>
    </>
  );
}

function Preview({ preview: { changes, skipped } }: { readonly preview: BulkPreview }) {
  return (
    <>
      {changes.length === 0 && <p>None of these products changes.</p>}
      <LargeChanges changes={changes} />
      {changes.length > 0 && (
        <Lines
          gap={8}
          isFramed
          className={classNames('tabular wrap-anywhere', listStyles.changes)}
          tabIndex={0}
          aria-label="Products that change"
        >
          {changes.map(({ id, name, before, after }) => (
            <li key={id}>
              <span>{name}</span>
              <span>
                {before} → {after}
              </span>
            </li>
          ))}
        </Lines>
      )}
      {skipped.length > 0 && (
        <>
          <p>{skipped.length} stay as they are:</p>
          <Lines
            gap={8}
            isFramed
            className={classNames('tabular wrap-anywhere', listStyles.changes)}
            tabIndex={0}
            aria-label="Products that stay as they are"
          >
            {skipped.map(({ id, name, reason }) => (
              <li key={id}>
                <span>{name}</span>
                <span className="muted small measure">{reason}</span>
              </li>
            ))}
          </Lines>
        </>
      )}
    </>
  );
}
