import type { ProductCosts } from '#src/shop/catalogue/costs/contract.ts';
import { call } from '#src/storefront/call.ts';
import { Section } from '#src/ui/section.tsx';
import { DocumentActions, DocumentForm } from '../../kit/document/document-form.tsx';
import { useDocument } from '../../kit/document/use-document.ts';
import { toCostForm, toCostRequest } from '../cost-form.ts';
import { nameVariant } from '../name-variant.ts';
import type { FormCategory } from '../product-form.ts';
import styles from './catalogue.module.css';
import { Cell } from './cell.tsx';
import tableStyles from './table.module.css';

interface VariantCostsProps {
  readonly productId: string;
  readonly costs: ProductCosts;
  readonly category: FormCategory | null;
}

const toStored = (costs: ProductCosts) => ({ version: costs.version, value: toCostForm(costs) });

/** What a unit of each variant costs the shop. Only for staff who may see figures. */
export function VariantCosts({ productId, costs, category }: VariantCostsProps) {
  const { variants } = costs;
  const { value, set, state } = useDocument({
    name: `costs_${productId}`,
    what: 'these costs',
    stored: toStored(costs),
    read: (form) => {
      const { body, problems } = toCostRequest(form, variants);
      return Object.keys(problems).length > 0 ? { ok: false, problems } : { ok: true, body };
    },
    send: async (body, { version }) =>
      toStored(
        await call('PUT /catalogue/products/{id}/costs', { params: { id: productId }, body: { ...body, version } }),
      ),
    saved: 'Costs saved',
  });
  return (
    <Section title="Cost per item" surface="outlined">
      <p className="muted small measure">
        What a unit costs you. Customers never see it. Empty: unknown. Orders keep the cost of the day on which they
        were placed.
      </p>
      <DocumentForm
        document={state}
        label="Cost per item"
        className={styles.tables}
        actions={<DocumentActions document={state} save="Save costs" />}
      >
        <table className={tableStyles.table}>
          <thead>
            <tr>
              <th scope="col">Variant</th>
              <th scope="col">SKU</th>
              <th scope="col">Cost in USD</th>
            </tr>
          </thead>
          <tbody>
            {variants.map(({ id, value_ids: valueIds, sku }, index) => {
              const name = nameVariant(category, valueIds) || 'The product';
              return (
                <tr key={id}>
                  <th scope="row">{name}</th>
                  <td translate="no">{sku}</td>
                  <td>
                    <Cell
                      label={`Cost of ${name}`}
                      column="Cost in USD"
                      value={value[id] ?? ''}
                      placeholder="Unknown"
                      inputMode="decimal"
                      maxLength={14}
                      problem={state.problems[`costs.${index}.cost_usd`]}
                      onChange={(cost) => set({ [id]: cost })}
                    />
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </DocumentForm>
    </Section>
  );
}
