import { MAX_DESCRIPTION } from '#src/shop/catalogue/editing/product-limits.ts';
import { AboutProduct } from '#src/shop/catalogue/products/web/about-product.tsx';
import type { TextToken } from '#src/shop/codecs.ts';
import { call } from '#src/storefront/call.ts';
import { TextArea } from '#src/ui/fields/text-area.tsx';
import contentStyles from '../../content/web/content-forms.module.css';
import { MarkdownPreview } from '../../content/web/markdown-preview.tsx';
import { isPlainDescription } from '../product-form.ts';
import type { ProductForm } from '../product-form.ts';

interface DescriptionFieldProps {
  readonly form: Pick<ProductForm, 'description' | 'plainText' | 'isPlain'>;
  readonly message: string | undefined;
  readonly onChange: (description: string) => void;
}

interface ShownDescription {
  readonly description: string;
  readonly elements: readonly TextToken[] | null;
}

const parse = async (markdown: string, signal: AbortSignal): Promise<ShownDescription> => ({
  description: '',
  ...(await call('POST /catalogue/description-preview', { body: { markdown } }, { signal })),
});
const showPlain = (description: string): Promise<ShownDescription> => Promise.resolve({ description, elements: null });

/** The description in Markdown with its preview. A saved plain text stays plain until it is changed. */
export function DescriptionField({ form, message, onChange }: DescriptionFieldProps) {
  const { description } = form;
  const isPlain = isPlainDescription(form) && description.trim() !== '';
  return (
    <>
      <TextArea
        label="Description"
        rows={8}
        value={description}
        maxLength={MAX_DESCRIPTION}
        spellCheck
        message={message}
        hint={
          isPlain
            ? 'This text is shown as it is. Once you change it, it is read as Markdown: check the preview.'
            : 'Markdown: # heading, - list, **bold**, [link](https://…). HTML is shown as text.'
        }
        onChange={({ target }) => onChange(target.value)}
      />
      <MarkdownPreview markdown={description} load={isPlain ? showPlain : parse}>
        {(shown) => (
          <div className={contentStyles.paper}>
            <AboutProduct {...shown} />
          </div>
        )}
      </MarkdownPreview>
    </>
  );
}
