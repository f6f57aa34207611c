import { useEffect } from 'react';
import type { ListedSalePrice } from '#src/shop/catalogue/sale-prices/contract.ts';
import { createVariantKey } from '#src/shop/catalogue/products/variants.ts';
import { formatDollars } from '#src/shop/format-number.ts';
import { call } from '#src/storefront/call.ts';
import { useTimeZone } from '#src/storefront/time-zone.ts';
import { Button } from '#src/ui/controls/button.tsx';
import { Columns } from '#src/ui/layout/columns.ts';
import { Row } from '#src/ui/layout/row.ts';
import { Stack } from '#src/ui/layout/stack.ts';
import { Field, Select } from '#src/ui/fields/field.tsx';
import { DocumentForm } from '../../kit/document/document-form.tsx';
import { useDocument } from '../../kit/document/use-document.ts';
import { getZoneName, toLocalDateTime } from '../../promotions/local-date-time.ts';
import { listLargeReductions } from '../large-price-changes.ts';
import { EMPTY_SALE_PRICE, findListedPosition, toSalePriceForm, toSalePriceRequest } from '../sale-price-form.ts';
import type { FormMoment, OwnPrice, SalePriceForm as Form } from '../sale-price-form.ts';
import { usePriceQuestion } from './price-question.tsx';

interface SalePriceFormProps {
  readonly productId: string;
  readonly basePrice: number;
  readonly ownPrices: readonly OwnPrice[];
  /** Names of variants by their key. */
  readonly names: ReadonlyMap<string, string>;
  /** Null: a new one. */
  readonly salePrice: ListedSalePrice | null;
  readonly onDone: () => void;
}

const toStored = (salePrice: ListedSalePrice | null) =>
  salePrice === null
    ? { version: 0, value: EMPTY_SALE_PRICE }
    : { version: salePrice.version, value: toSalePriceForm(salePrice) };

/** Schedules a sale price or changes one; of a running one only the end. */
export function SalePriceForm(props: SalePriceFormProps) {
  const { productId, basePrice, ownPrices, names, salePrice, onDone } = props;
  const isRunning = salePrice?.state === 'running';
  const { value, set, state } = useDocument({
    name: `sale_price_${salePrice?.id ?? productId}`,
    what: 'this sale price',
    stored: toStored(salePrice),
    isSavableAsIs: true,
    read: (form) => {
      const { body, problems } = toSalePriceRequest(form, ownPrices);
      return Object.keys(problems).length > 0 ? { ok: false, problems } : { ok: true, body };
    },
    send: async (body, { version }) => {
      if (salePrice === null) {
        await call('POST /catalogue/products/{id}/sale-prices', { params: { id: productId }, body });
        return null;
      }
      const request = { params: { id: salePrice.id }, body: { ...body, version } };
      const { sale_prices: all } = await call('PUT /catalogue/sale-prices/{id}', request);
      return toStored(all.find(({ id }) => id === salePrice.id) ?? null);
    },
    saved: 'Sale price saved',
    onSaved: onDone,
  });
  const { ref, isBusy, problems } = state;
  useEffect(() => ref.current?.querySelector<HTMLElement>('select, input')?.focus(), [ref]);
  const { ask, question } = usePriceQuestion(() => {
    const read = toSalePriceRequest(value, ownPrices);
    const isAsked = !isRunning && Object.keys(read.problems).length === 0;
    return isAsked ? listLargeReductions(read.body, basePrice, ownPrices, names) : [];
  });
  const cancel = (): void => {
    state.discard();
    onDone();
  };
  return (
    <DocumentForm
      document={state}
      isInList
      label="Sale price"
      onSubmit={ask}
      actions={
        <Row>
          <Button type="submit" isBusy={isBusy}>
            {salePrice === null ? 'Schedule sale price' : 'Save sale price'}
          </Button>
          <Button variant="quaternary" onClick={cancel} disabled={isBusy}>
            Cancel
          </Button>
        </Row>
      }
    >
      {!isRunning && <Reduction {...props} form={value} problems={problems} onChange={set} />}
      {question}
      <Times form={value} problems={problems} isRunning={isRunning} onChange={set} />
    </DocumentForm>
  );
}

interface FieldsProps {
  readonly form: Form;
  readonly problems: Readonly<Record<string, string>>;
  readonly onChange: (changed: Partial<Form>) => void;
}

function Reduction({
  form,
  problems,
  onChange,
  basePrice,
  ownPrices,
  names,
}: FieldsProps & Pick<SalePriceFormProps, 'basePrice' | 'ownPrices' | 'names'>) {
  const decimal = { inputMode: 'decimal', autoComplete: 'off', maxLength: 14 } as const;
  return (
    <>
      <Columns width={18}>
        <Select
          label="Reduction"
          value={form.kind}
          onChange={({ currentTarget }) => onChange({ kind: currentTarget.value === 'percent' ? 'percent' : 'amount' })}
        >
          <option value="amount">Sale price in USD</option>
          <option value="percent">Percentage off</option>
        </Select>
        {form.kind === 'percent' ? (
          <Field
            {...decimal}
            label="Percent off"
            value={form.percent}
            message={problems['percent']}
            hint="Also off the increases of values and the prices of variants."
            onChange={({ currentTarget }) => onChange({ percent: currentTarget.value })}
          />
        ) : (
          <Field
            {...decimal}
            label="Sale price in USD"
            value={form.price}
            message={problems['price_usd']}
            hint={`Instead of the base price of ${formatDollars(basePrice)}. Increases of values stay.`}
            onChange={({ currentTarget }) => onChange({ price: currentTarget.value })}
          />
        )}
      </Columns>
      {form.kind === 'amount' && ownPrices.length > 0 && (
        <Stack as="fieldset">
          <legend className="strong">Variants with their own price</legend>
          <Columns width={18}>
            {ownPrices.map(({ value_ids, price_usd }) => {
              const key = createVariantKey(value_ids);
              const position = findListedPosition(form, ownPrices, key);
              return (
                <Field
                  {...decimal}
                  key={key}
                  label={`${names.get(key) || 'The product'} (optional)`}
                  value={form.variantPrices[key] ?? ''}
                  message={problems[`variant_prices.${position}.price_usd`] ?? problems[`variant_prices.${position}`]}
                  hint={`Instead of ${formatDollars(price_usd)}. Empty: not reduced.`}
                  onChange={({ currentTarget }) =>
                    onChange({ variantPrices: { ...form.variantPrices, [key]: currentTarget.value } })
                  }
                />
              );
            })}
          </Columns>
        </Stack>
      )}
    </>
  );
}

function Times({ form, problems, isRunning, onChange }: FieldsProps & { readonly isRunning: boolean }) {
  const timeZone = useTimeZone();
  const format = (moment: FormMoment): string => {
    if ('typed' in moment) return moment.typed;
    return moment.stored === null ? '' : toLocalDateTime(moment.stored, timeZone);
  };
  const zone = `Time zone: ${getZoneName(timeZone)}.`;
  return (
    <Columns width={18}>
      {!isRunning && (
        <Field
          label="Start (optional)"
          type="datetime-local"
          value={format(form.starts)}
          message={problems['starts_at']}
          hint={`Empty: now. ${zone}`}
          onChange={({ currentTarget }) => onChange({ starts: { typed: currentTarget.value } })}
        />
      )}
      <Field
        label="End (optional)"
        type="datetime-local"
        value={format(form.ends)}
        message={problems['ends_at']}
        hint={`Empty: until you end it. ${zone}`}
        onChange={({ currentTarget }) => onChange({ ends: { typed: currentTarget.value } })}
      />
    </Columns>
  );
}
