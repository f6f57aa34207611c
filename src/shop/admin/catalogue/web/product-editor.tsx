import type { SubmitEvent } from 'react';
import { useRef } from 'react';
import { useNavigate } from 'react-router';
import type { ProductCosts } from '#src/shop/catalogue/costs/contract.ts';
import type { EditedProduct } from '#src/shop/catalogue/editing/contract.ts';
import type { ProductStock } from '#src/shop/inventory/stock-list/contract.ts';
import { call } from '#src/storefront/call.ts';
import { describeFailure } from '#src/storefront/forms/describe-failure.ts';
import { Button } from '#src/ui/controls/button.tsx';
import { showToast } from '#src/ui/feedback/show-toast.ts';
import { useHydrated } from '#src/ui/react/use-hydrated.ts';
import { Row } from '#src/ui/layout/row.ts';
import bars from '../../kit/action-bar.module.css';
import { DiscardButton, DocumentForm, DocumentStatus } from '../../kit/document/document-form.tsx';
import { useDocument } from '../../kit/document/use-document.ts';
import { useJointDocuments } from '../../kit/document/use-joint-documents.ts';
import type { DocumentState } from '../../kit/document/use-document.ts';
import { listLargePriceChanges } from '../large-price-changes.ts';
import { createEmptyForm, listVariants, toContent, toForm } from '../product-form.ts';
import type { FormCategory, ProductForm } from '../product-form.ts';
import { usePriceQuestion } from './price-question.tsx';
import { ProductFields } from './product-fields.tsx';
import { useCosts } from './use-costs.ts';
import type { ExtraColumns } from './use-extra-column.ts';
import { useStock } from './use-stock.ts';

interface ProductEditorProps {
  /** Null: a new product. */
  readonly product: EditedProduct | null;
  readonly categories: readonly FormCategory[];
  readonly brands: readonly { readonly id: string; readonly name: string }[];
  /** Null: a new product, or a reader who may not see figures. */
  readonly costs: ProductCosts | null;
  /** Null: a new product, or a reader who may not see the stock. */
  readonly stock: ProductStock | null;
}

const PUBLISH_LABELS: Readonly<Record<EditedProduct['state'], string>> = {
  published: 'Publish changes',
  draft: 'Publish',
  withdrawn: 'Bring back',
};
const PUBLISH = 'publish';

type Content = ReturnType<typeof toContent>['content'];

const toStored = ({ version, content }: EditedProduct) => ({ version, value: toForm(content) });

/** Creates a product. @returns why it was not published: one that can't be stays a draft, whose page says what is missing */
async function create(content: Content, publish: boolean): Promise<{ id: string; refusal: string | null }> {
  const { product } = await call('POST /catalogue/products', { body: content });
  const { id, version } = product;
  const request = { params: { id }, body: { version, publish, content } };
  return {
    id,
    refusal: publish ? await call('PUT /catalogue/products/{id}', request).then(() => null, describeFailure) : null,
  };
}

/** What the toast says if only these were changed. */
function describeExtras(costs: DocumentState | null, stock: DocumentState | null): string {
  if (stock?.isChanged !== true) return 'Costs saved';
  return costs?.isChanged === true ? 'Costs and stock saved' : 'Stock saved';
}

/** Costs and stock of the variants, saved with the product by one submit. */
function useExtras(
  state: DocumentState,
  {
    product,
    costs,
    stock,
    category,
  }: Pick<ProductEditorProps, 'product' | 'costs' | 'stock'> & {
    readonly category: FormCategory | null;
  },
  isPublished: () => boolean,
) {
  const saved = useRef('');
  const joined = { productId: product?.id ?? 'new', category, form: state.ref, saved: () => saved.current };
  const cost = useCosts({ ...joined, costs });
  const onHand = useStock({ ...joined, stock });
  const document = useJointDocuments({
    first: useJointDocuments({
      first: state,
      second: cost.state,
      isFirstWanted: isPublished,
      partly: 'The product was saved, but its costs were not.',
    }),
    second: onHand.state,
    isFirstWanted: isPublished,
    partly: 'Everything else was saved, but the stock was not.',
  });
  const extras: ExtraColumns = {
    ...(cost.column && { cost: cost.column }),
    ...(onHand.column && { stock: onHand.column }),
  };
  /** Call at a submit: what the toast says once costs and stock are saved, too. */
  const describeSaved = (): void => {
    if (isPublished()) saved.current = 'Published';
    else saved.current = state.isChanged ? 'Saved' : describeExtras(cost.state, onHand.state);
  };
  return { document, extras, describeSaved };
}

/** Names of the variants by their keys. */
const nameVariants = (category: FormCategory | null, form: ProductForm): ReadonlyMap<string, string> =>
  new Map(listVariants(category, form).map(({ key, name }) => [key, name]));

/** The form of a product: saves a draft or publishes. */
export function ProductEditor({ product, categories, brands, costs, stock }: ProductEditorProps) {
  const navigate = useNavigate();
  const isPublished = useRef(false);
  const refusal = useRef<string | null>(null);
  const findCategory = ({ categoryId }: ProductForm) => categories.find(({ id }) => id === categoryId) ?? null;
  const read = (form: ProductForm) => toContent(form, findCategory(form));
  const { value, change, state } = useDocument({
    name: `product_${product?.id ?? 'new'}`,
    what: 'this product',
    names: { price: 'base_price', summary: 'sub_description' },
    within: 'content',
    stored:
      product === null
        ? { version: 0, value: createEmptyForm(categories[0]?.id ?? '', brands[0]?.id ?? '') }
        : toStored(product),
    isSavableAsIs: true,
    read: (form) => {
      const { content, problems } = read(form);
      return Object.keys(problems).length > 0 ? { ok: false, problems } : { ok: true, body: content };
    },
    send: async (content, { version }) => {
      const publish = isPublished.current;
      if (product === null) {
        const created = await create(content, publish);
        refusal.current = created.refusal;
        await navigate(`/admin/products/${created.id}`);
        return null;
      }
      const request = { params: { id: product.id }, body: { version, publish, content } };
      return toStored((await call('PUT /catalogue/products/{id}', request)).product);
    },
    saved: () => (isPublished.current ? 'Published' : 'Saved'),
    onSaved: () => {
      if (refusal.current !== null) showToast('error', 'Saved as a draft', refusal.current);
    },
  });
  const category = findCategory(value);
  const { document, extras, describeSaved } = useExtras(
    state,
    { product, costs, stock, category },
    () => isPublished.current,
  );
  const { ask, question } = usePriceQuestion(() => {
    const { content, problems } = read(value);
    if (product === null || Object.keys(problems).length > 0) return [];
    return listLargePriceChanges(product.content, content, nameVariants(category, value));
  });
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    isPublished.current = event.nativeEvent.submitter?.getAttribute('value') === PUBLISH;
    describeSaved();
    ask(event);
  };
  return (
    <DocumentForm
      document={document}
      onSubmit={submit}
      actions={<ProductBar document={document} publish={PUBLISH_LABELS[product?.state ?? 'draft']} />}
    >
      <ProductFields
        form={value}
        categories={categories}
        brands={brands}
        problems={state.problems}
        isNew={product === null}
        saved={new Set(product?.content.values.map(({ id }) => id))}
        onChange={change}
        extras={extras}
      />
      {question}
    </DocumentForm>
  );
}

/** Stays in view. Says what is wrong, and leads there. */
function ProductBar({ document, publish }: { readonly document: DocumentState; readonly publish: string }) {
  const isHydrated = useHydrated();
  const { isBusy, problems, showProblem } = document;
  const problem = Object.values(problems).find((one) => one !== undefined);
  return (
    <Row className={bars.bar}>
      {problem === undefined ? (
        <DocumentStatus document={document} />
      ) : (
        <output className="muted small">{problem}</output>
      )}
      {problem !== undefined && (
        <Button variant="quaternary" onClick={showProblem}>
          Show
        </Button>
      )}
      <DiscardButton document={document} variant="quaternary" />
      <Button type="submit" variant="secondary" isBusy={isBusy} disabled={!isHydrated}>
        Save draft
      </Button>
      <Button type="submit" value={PUBLISH} isBusy={isBusy} disabled={!isHydrated}>
        {publish}
      </Button>
    </Row>
  );
}
