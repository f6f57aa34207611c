import type { SubmitEvent } from 'react';
import type { EditedProduct } from '#src/shop/catalogue/editing/contract.ts';
import { Button } from '#src/ui/button.tsx';
import { Row } from '#src/ui/row.ts';
import { Notice } from '#src/ui/notice.tsx';
import { Stack } from '#src/ui/stack.ts';
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
    <Stack as="form" ref={element} gap={24} noValidate onSubmit={submit}>
      <ProductFields
        form={form}
        categories={categories}
        brands={brands}
        problems={problems}
        isNew={product === null}
        onChange={setForm}
      />
      {failure !== null && (
        <Notice
          role="alert"
          tone="bad"
          actions={
            failure.code === 'changed-meanwhile' && (
              <Row>
                <Button variant="secondary" onClick={() => void reload(false)}>
                  Load the saved version
                </Button>
                <Button variant="secondary" onClick={() => void reload(true)}>
                  Keep my version
                </Button>
              </Row>
            )
          }
        >
          {Object.keys(problems).length > 0
            ? 'Some fields need another value. See the messages there.'
            : failure.message}
        </Notice>
      )}
      <PriceQuestion changes={question} onCancel={cancel} onConfirm={() => void confirm()} />
      <Row className={styles.bar}>
        <output className="muted small">{problem ?? describeStatus(isDirty, product)}</output>
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
      </Row>
    </Stack>
  );
}
