import { useState } from 'react';
import type { ShownNationalCurrency } from '#src/shop/invoices/currency/contract.ts';
import { parseRates } from '#src/shop/invoices/currency/parse-rates.ts';
import { call } from '#src/storefront/call.ts';
import { Field } from '#src/ui/fields/field.tsx';
import { Section } from '#src/ui/layout/section.tsx';
import { EmptyState } from '#src/ui/feedback/states.tsx';
import { Table } from '#src/ui/display/table.tsx';
import { TextArea } from '#src/ui/fields/text-area.tsx';
import { ConfirmedAction } from '../../kit/confirmed-action.tsx';
import { readText } from '../../kit/form-text.ts';

interface NationalRatesProps {
  readonly found: ShownNationalCurrency;
  readonly mayEdit: boolean;
}

/** Rates of the national currency by day, and the form that adds some. */
export function NationalRates({ found: { currency, ecb, rates }, mayEdit: mayEditTable }: NationalRatesProps) {
  const mayEdit = mayEditTable && ecb === null;
  return (
    <Section title={`Rates: ${currency} for 1 USD`} surface="outlined">
      {mayEdit && <RatesForm currency={currency} />}
      {rates.length === 0 ? (
        <EmptyState title="There are no rates yet. Invoices with tax wait for one." />
      ) : (
        <Table label={`Rates of ${currency}`}>
          <thead>
            <tr>
              <th scope="col">Day</th>
              <th scope="col">Rate</th>
              <th scope="col">Source</th>
              {mayEdit && <th scope="col">Action</th>}
            </tr>
          </thead>
          <tbody>
            {rates.map(({ day, rate, source }) => (
              <tr key={day}>
                <td className="tabular unbroken">{day}</td>
                <td className="tabular">{rate}</td>
                <td className="wrap-anywhere">{source}</td>
                {mayEdit && (
                  <td className="unbroken">
                    <ConfirmedAction
                      button="Delete"
                      label={`Delete the rate of ${day}`}
                      variant="quaternary"
                      isDestructive
                      question={`Delete the rate of ${day}?`}
                      meaning={<p>Issued invoices stay as they are.</p>}
                      confirm="Delete"
                      done="Rate deleted"
                      onConfirm={() => call('DELETE /tax/national-rates/{day}', { params: { day } })}
                    />
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </Section>
  );
}

const readRates = (data: FormData) => parseRates(readText(data, 'rates'));

function RatesForm({ currency }: { readonly currency: string }) {
  const [problem, setProblem] = useState<string | null>(null);
  return (
    <ConfirmedAction
      button="Save rates"
      question="Save these rates?"
      meaning={<p>Rates of the same days are replaced. Invoices that wait for them are issued.</p>}
      confirm="Save rates"
      done="Rates saved"
      check={(data) => {
        const parsed = readRates(data);
        setProblem(parsed.ok ? null : parsed.problem);
        return parsed.ok;
      }}
      onConfirm={(data) => {
        const parsed = readRates(data);
        const rates = parsed.ok ? parsed.rates.map((one) => ({ ...one })) : [];
        return call('PUT /tax/national-rates', { body: { source: readText(data, 'source'), rates } });
      }}
    >
      <TextArea
        label="Day and rate, one per line"
        name="rates"
        rows={4}
        autoComplete="off"
        spellCheck={false}
        message={problem}
        hint={`${currency} for 1 USD, such as 2026-11-27,0.8601. Lines of a CSV can be pasted`}
        onChange={() => setProblem(null)}
      />
      <Field
        label="Source, as invoices print it"
        name="source"
        required
        maxLength={80}
        defaultValue="European Central Bank"
        autoComplete="off"
      />
    </ConfirmedAction>
  );
}
