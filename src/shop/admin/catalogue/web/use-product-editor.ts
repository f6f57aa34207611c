import type { RefObject } from 'react';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import type { EditedProduct } from '#src/shop/catalogue/editing/contract.ts';
import { call } from '#src/storefront/call.ts';
import { reloadPage } from '#src/storefront/reload-page.ts';
import { showToast } from '#src/ui/show-toast.ts';
import { useDraft } from '../../kit/use-draft.ts';
import { listLargePriceChanges } from '../large-price-changes.ts';
import type { PriceChange } from '../large-price-changes.ts';
import { createEmptyForm, listVariants, toContent, toForm } from '../product-form.ts';
import type { FormCategory, ProductForm } from '../product-form.ts';
import { useSave } from './use-save.ts';
import type { Saving } from './use-save.ts';

export interface ProductEditorProps {
  /** Null: a new product. */
  readonly product: EditedProduct | null;
  readonly categories: readonly FormCategory[];
  readonly brands: readonly { readonly id: string; readonly name: string }[];
}

interface ProductEditorState {
  readonly element: RefObject<HTMLFormElement | null>;
  readonly form: ProductForm;
  /** Stable. */
  readonly setForm: (change: (form: ProductForm) => ProductForm) => void;
  readonly isDirty: boolean;
  /** Forgets unsaved changes. */
  readonly discard: () => void;
  readonly saving: Saving;
  readonly save: (publish: boolean) => Promise<void>;
  /** Prices to ask about before `confirm` saves them. */
  readonly question: readonly PriceChange[];
  readonly confirm: () => Promise<void>;
  readonly cancel: () => void;
  /** After a change by someone else: loads it, or prepares to overwrite it. */
  readonly reload: (isMineKept: boolean) => Promise<void>;
}

type Content = ReturnType<typeof toContent>['content'];

/** Creates a product. One that can't be published yet stays a draft; its page says what is missing. */
async function create(content: Content, publish: boolean): Promise<EditedProduct> {
  const { product } = await call('POST /catalogue/products', { body: content });
  if (!publish) return product;
  const request = { params: { id: product.id }, body: { version: product.version, publish, content } };
  await call('PUT /catalogue/products/{id}', request).catch((error: unknown) => {
    showToast('error', 'Saved as a draft', error instanceof Error ? error.message : null);
  });
  return product;
}

/** The newest known state of the product, with unsaved changes that survive other pages. */
function useForm({ product: loaded, categories, brands }: ProductEditorProps) {
  const [adopted, setAdopted] = useState<EditedProduct | null>(null);
  /** A version of someone else that the unsaved changes may overwrite. */
  const [overwritten, setOverwritten] = useState(0);
  const product = adopted !== null && adopted.version > (loaded?.version ?? 0) ? adopted : loaded;
  const [categoryId, brandId] = [categories[0]?.id ?? '', brands[0]?.id ?? ''];
  const saved = useMemo(
    () => ({
      version: product?.version ?? 0,
      value: product === null ? createEmptyForm(categoryId, brandId) : toForm(product.content),
    }),
    [product, categoryId, brandId],
  );
  const {
    value: form,
    version,
    isChanged,
    change,
    discard,
    discardSaved,
  } = useDraft(`product_${loaded?.id ?? 'new'}`, saved);
  const latest = useRef({ form, change });
  useEffect(() => {
    latest.current = { form, change };
  });
  const setForm = useCallback((edit: (before: ProductForm) => ProductForm): void => {
    const next = edit(latest.current.form);
    latest.current.form = next;
    latest.current.change(next);
  }, []);
  const adopt = (next: EditedProduct, isMineSaved: boolean): void => {
    setAdopted(next);
    if (isMineSaved) discardSaved(next.version);
    else discard();
  };
  return { form, version: Math.max(version, overwritten), isDirty: isChanged, setForm, adopt, discard, setOverwritten };
}

/** State and actions of the form of a product. */
export function useProductEditor(props: ProductEditorProps): ProductEditorState {
  const { product, categories } = props;
  const navigate = useNavigate();
  const element = useRef<HTMLFormElement>(null);
  const saving = useSave(element);
  const { form, version, isDirty, setForm, adopt, discard, setOverwritten } = useForm(props);

  /** What was asked about: whether it is published, and the prices. */
  const [asked, setAsked] = useState<{ publish: boolean; changes: readonly PriceChange[] } | null>(null);

  const save = async (publish: boolean, isConfirmed = false): Promise<void> => {
    setAsked(null);
    const category = categories.find(({ id }) => id === form.categoryId) ?? null;
    const { content, problems } = toContent(form, category);
    if (Object.keys(problems).length > 0) {
      saving.setFailure({ code: 'invalid', message: 'Some fields need another value.', fields: problems });
      return;
    }
    const names = new Map(listVariants(category, form).map(({ key, name }) => [key, name]));
    const changes = product === null ? [] : listLargePriceChanges(product.content, content, names);
    if (changes.length > 0 && !isConfirmed) {
      saving.setFailure(null);
      setAsked({ publish, changes });
      return;
    }
    await saving.run(async () => {
      if (product === null) {
        const created = await create(content, publish);
        discard();
        await navigate(`/admin/products/${created.id}`);
        return;
      }
      const request = { params: { id: product.id }, body: { version, publish, content } };
      adopt((await call('PUT /catalogue/products/{id}', request)).product, true);
      showToast('success', publish ? 'Published' : 'Saved');
      await reloadPage();
    });
  };
  const reload = async (isMineKept: boolean): Promise<void> => {
    if (product === null) return;
    await saving.run(async () => {
      const latest = (await call('GET /catalogue/products/{id}', { params: { id: product.id } })).product;
      if (isMineKept) setOverwritten(latest.version);
      else adopt(latest, false);
      await reloadPage();
    });
  };
  return {
    element,
    form,
    setForm,
    isDirty,
    discard,
    saving,
    save: (publish) => save(publish),
    question: asked?.changes ?? [],
    confirm: () => save(asked?.publish ?? false, true),
    cancel: () => setAsked(null),
    reload,
  };
}
