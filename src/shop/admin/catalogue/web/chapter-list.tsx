import { useId } from 'react';
import { MAX_CHAPTERS, MAX_FIGURE, MAX_SENTENCE, MAX_TITLE } from '#src/shop/catalogue/chapters/chapters.ts';
import type { Chapter } from '#src/shop/catalogue/chapters/chapters.ts';
import { Columns } from '#src/ui/layout/columns.ts';
import { Field } from '#src/ui/fields/field.tsx';
import { ItemList } from '#src/ui/form/item-list.tsx';
import { Stack } from '#src/ui/layout/stack.ts';
import { TextArea } from '#src/ui/fields/text-area.tsx';
import { Thumbnail } from '../../pictures/web/picture-field.tsx';
import { NEW_CHAPTER } from '../chapters-form.ts';
import type { ProductForm } from '../product-form.ts';
import styles from './chapter-list.module.css';

type Pictures = ProductForm['pictures'];

interface ChapterListProps {
  readonly value: readonly Chapter[];
  /** Those of the product, of its values and variants. */
  readonly pictures: Pictures;
  /** Messages by field of the API. */
  readonly problems: Readonly<Record<string, string>>;
  readonly onChange: (chapters: readonly Chapter[]) => void;
}

/** Chapters of a product in order: one picture, one figure, one title and one sentence each. */
export function ChapterList({ value, pictures, problems, onChange }: ChapterListProps) {
  return (
    <>
      <p className="muted small measure">
        Large figures on the page of a flagship, above its description. Each has a sentence beside one of the pictures
        of the product.
      </p>
      {value.length === 0 && <p className="muted small">No chapters yet. The page goes without them.</p>}
      {problems['chapters'] !== undefined && (
        <p className="danger small measure" data-problem tabIndex={-1}>
          {problems['chapters']}
        </p>
      )}
      <ItemList name="Chapter" items={value} maximum={MAX_CHAPTERS} empty={NEW_CHAPTER} onChange={onChange}>
        {(chapter, change, index) => {
          const bind = (field: 'figure' | 'title' | 'sentence') => ({
            value: chapter[field],
            message: problems[`chapters.${index}.${field}`],
            onChange: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
              change({ ...chapter, [field]: currentTarget.value }),
          });
          return (
            <>
              <Columns width={18}>
                <Field label="Figure" hint="Such as 22 hours or 48 MP" maxLength={MAX_FIGURE} {...bind('figure')} />
                <Field
                  label="Title"
                  hint="Goes on from the figure, such as of video on one charge"
                  maxLength={MAX_TITLE}
                  {...bind('title')}
                />
              </Columns>
              <TextArea label="Sentence" rows={2} maxLength={MAX_SENTENCE} {...bind('sentence')} />
              <PictureChoice
                value={chapter.picture}
                pictures={pictures}
                message={problems[`chapters.${index}.picture`]}
                onChange={(picture) => change({ ...chapter, picture })}
              />
            </>
          );
        }}
      </ItemList>
    </>
  );
}

interface PictureChoiceProps {
  readonly value: string | null;
  readonly pictures: Pictures;
  readonly message: string | undefined;
  readonly onChange: (path: string | null) => void;
}

/** One of the pictures, or none. */
function PictureChoice({ value, pictures, message, onChange }: PictureChoiceProps) {
  const id = useId();
  const chosen = pictures.some(({ path }) => path === value) ? value : null;
  const bind = (path: string | null) => ({
    type: 'radio',
    name: id,
    checked: chosen === path,
    onChange: () => onChange(path),
  });
  return (
    <Stack
      as="fieldset"
      gap={8}
      data-invalid={message !== undefined}
      aria-describedby={message === undefined ? undefined : `${id}-message`}
    >
      <legend className="small strong">Picture</legend>
      <div className={styles.choices}>
        <label className={styles.none}>
          <input {...bind(null)} />
          <span>No picture</span>
        </label>
        {pictures.map((picture, index) => (
          <label key={picture.path} className={styles.choice}>
            <input {...bind(picture.path)} aria-label={picture.alt || `Picture ${index + 1}`} />
            <Thumbnail picture={{ ...picture, alt: '' }} />
          </label>
        ))}
      </div>
      {message !== undefined && (
        <p id={`${id}-message`} className="danger small">
          {message}
        </p>
      )}
    </Stack>
  );
}
