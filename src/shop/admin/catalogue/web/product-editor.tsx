import type { SubmitEvent } from 'react';
import type { EditedProduct } from '#src/shop/catalogue/editing/contract.ts';
import { Button } from '#src/ui/button.tsx';
import { useHydrated } from '#src/ui/use-hydrated.ts';
import styles from './catalogue.module.css';
import { PriceQuestion } from './price-question.tsx';
import { ProductFields } from './product-fields.tsx';
import { useProductEditor } from './use-product-editor.ts';
import type { ProductEditorProps } from './use-product-editor.ts';

const PUBLISH_LABELS: Readonly<Record<EditedProduct['state'], string>> = {
  published: 'Publish changes',
  draft: 'Publish',
  withdrawn: 'Bring back',
};

function describeStatus(isDirty: boolean, product: EditedProduct | null): string {
  if (isDirty) return 'Unsaved changes';
  return product === null ? 'Not saved yet' : 'Everything is saved';
}

/** The form of a product: saves a draft or publishes. */
export function ProductEditor(props: ProductEditorProps) {
  const { product, categories, brands } = props;
  const isHydrated = useHydrated();
  const editor = useProductEditor(props);
  const { element, form, setForm, isDirty, discard, saving, save, question, confirm, cancel, reload } = editor;
  const { failure, isBusy } = saving;
  const problems = failure?.fields ?? {};
  const [problem] = Object.values(problems);
  const submit = (submitted: SubmitEvent<HTMLFormElement>): void => {
    submitted.preventDefault();
    void save(false);
  };
  return (
    <form ref={element} className={styles.form} noValidate onSubmit={submit}>
      <ProductFields
        form={form}
        categories={categories}
        brands={brands}
        problems={problems}
        isNew={product === null}
        onChange={setForm}
      />
      {failure !== null && (
        <div className={styles.notice} data-tone="bad" role="alert">
          <p>
            {Object.keys(problems).length > 0
              ? 'Some fields need another value. See the messages there.'
              : failure.message}
          </p>
          {failure.code === 'changed-meanwhile' && (
            <div className={styles.row}>
              <Button variant="secondary" onClick={() => void reload(false)}>
                Load the saved version
              </Button>
              <Button variant="secondary" onClick={() => void reload(true)}>
                Keep my version
              </Button>
            </div>
          )}
        </div>
      )}
      <PriceQuestion changes={question} onCancel={cancel} onConfirm={() => void confirm()} />
      <div className={styles.bar}>
        <output>{problem ?? describeStatus(isDirty, product)}</output>
        {problem !== undefined && (
          <Button variant="quaternary" onClick={saving.showProblem}>
            Show
          </Button>
        )}
        {isDirty && (
          <Button variant="quaternary" onClick={discard} disabled={isBusy}>
            Discard changes
          </Button>
        )}
        <Button type="submit" variant="secondary" isBusy={isBusy} disabled={!isHydrated}>
          Save draft
        </Button>
        <Button onClick={() => void save(true)} isBusy={isBusy} disabled={!isHydrated}>
          {PUBLISH_LABELS[product?.state ?? 'draft']}
        </Button>
      </div>
    </form>
  );
}
