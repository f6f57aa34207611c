import type { SubmitEvent } from 'react';
import { useEffect, useRef, useState } from 'react';
import type { ListedSalePrice } from '#src/shop/catalogue/sale-prices/contract.ts';
import { createVariantKey } from '#src/shop/catalogue/products/variants.ts';
import { formatDollars } from '#src/shop/format-number.ts';
import { call } from '#src/storefront/call.ts';
import { reloadPage } from '#src/storefront/reload-page.ts';
import { useTimeZone } from '#src/storefront/time-zone.ts';
import { Button } from '#src/ui/button.tsx';
import { Field, Select } from '#src/ui/field.tsx';
import { Columns } from '#src/ui/columns.ts';
import { Row } from '#src/ui/row.ts';
import { Stack } from '#src/ui/stack.ts';
import { Notice } from '#src/ui/notice.tsx';
import { showToast } from '#src/ui/show-toast.ts';
import { useDraft } from '../../kit/use-draft.ts';
import { getZoneName, toLocalDateTime } from '../../promotions/local-date-time.ts';
import { listLargeReductions } from '../large-price-changes.ts';
import type { PriceChange } from '../large-price-changes.ts';
import { EMPTY_SALE_PRICE, findListedPosition, toSalePriceForm, toSalePriceRequest } from '../sale-price-form.ts';
import type { FormMoment, FormProblems, OwnPrice, SalePriceForm as Form } from '../sale-price-form.ts';
import { PriceQuestion } from './price-question.tsx';
import { useSave } from './use-save.ts';

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

/** Schedules a sale price or changes one; of a running one only the end. */
export function SalePriceForm(props: SalePriceFormProps) {
  const { productId, ownPrices, salePrice, onDone } = props;
  const element = useRef<HTMLFormElement>(null);
  const { isBusy, failure, run, setFailure } = useSave(element);
  const { value, version, change, discard } = useDraft<Form>(`sale_price_${salePrice?.id ?? productId}`, {
    version: salePrice?.version ?? 0,
    value: salePrice === null ? EMPTY_SALE_PRICE : toSalePriceForm(salePrice),
  });
  const [question, setQuestion] = useState<readonly PriceChange[]>([]);
  const isRunning = salePrice?.state === 'running';
  useEffect(() => element.current?.querySelector<HTMLElement>('select, input')?.focus(), []);

  const close = (): void => {
    discard();
    onDone();
  };
  const save = async (isConfirmed = false): Promise<void> => {
    setQuestion([]);
    const { body, problems } = toSalePriceRequest(value, ownPrices);
    if (Object.keys(problems).length > 0) {
      setFailure({ code: 'invalid', message: 'Some fields need another value.', fields: problems });
      return;
    }
    const changes = isRunning ? [] : listLargeReductions(body, props.basePrice, ownPrices, props.names);
    if (changes.length > 0 && !isConfirmed) {
      setFailure(null);
      setQuestion(changes);
      return;
    }
    await run(async () => {
      if (salePrice === null)
        await call('POST /catalogue/products/{id}/sale-prices', { params: { id: productId }, body });
      else {
        await call('PUT /catalogue/sale-prices/{id}', { params: { id: salePrice.id }, body: { ...body, version } });
      }
      showToast('success', 'Sale price saved');
      close();
      await reloadPage();
    });
  };
  const submit = (submitted: SubmitEvent<HTMLFormElement>): void => {
    submitted.preventDefault();
    void save();
  };
  const reload = async (): Promise<void> => {
    discard();
    setFailure(null);
    await reloadPage();
  };
  const edit = (changed: Partial<Form>): void => change({ ...value, ...changed });
  return (
    <Stack as="form" ref={element} noValidate aria-label="Sale price" onSubmit={submit}>
      {!isRunning && <Reduction {...props} form={value} problems={failure?.fields ?? {}} onChange={edit} />}
      <PriceQuestion changes={question} onCancel={() => setQuestion([])} onConfirm={() => void save(true)} />
      <Times form={value} problems={failure?.fields ?? {}} isRunning={isRunning} onChange={edit} />
      {failure !== null && (
        <Notice
          role="alert"
          tone="bad"
          actions={
            failure.code === 'changed-meanwhile' && (
              <Button variant="secondary" onClick={() => void reload()}>
                Load the saved version
              </Button>
            )
          }
        >
          {failure.code === 'invalid' ? 'Some fields need another value. See the messages there.' : failure.message}
        </Notice>
      )}
      <Row>
        <Button type="submit" isBusy={isBusy}>
          {salePrice === null ? 'Schedule sale price' : 'Save sale price'}
        </Button>
        <Button variant="quaternary" onClick={close} disabled={isBusy}>
          Cancel
        </Button>
      </Row>
    </Stack>
  );
}

interface FieldsProps {
  readonly form: Form;
  readonly problems: FormProblems;
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
