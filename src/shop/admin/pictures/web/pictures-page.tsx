import { useState } from 'react';
import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { Link, useLoaderData } from 'react-router';
import { call } from '#src/storefront/call.ts';
import { Moment } from '#src/storefront/moment.tsx';
import { useCallAction } from '#src/storefront/forms/use-call-action.ts';
import { reloadPage } from '#src/storefront/reload-page.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import type { LibraryPicture, UploadedPicture } from '#src/shop/pictures/contract.ts';
import { Button } from '#src/ui/controls/button.tsx';
import { Field } from '#src/ui/fields/field.tsx';
import { useLeaveWarning } from '#src/ui/page/use-leave-warning.ts';
import { Picture } from '#src/ui/graphics/picture.tsx';
import { showToast } from '#src/ui/feedback/show-toast.ts';
import { Section } from '#src/ui/layout/section.tsx';
import { Stack } from '#src/ui/layout/stack.ts';
import { EmptyState } from '#src/ui/feedback/states.tsx';
import { describeFailure } from '#src/storefront/forms/describe-failure.ts';
import { AdminFrame } from '../../kit/admin-frame.tsx';
import { ConfirmedAction } from '../../kit/confirmed-action.tsx';
import { DocumentActions, DocumentForm } from '../../kit/document/document-form.tsx';
import { readAsIs, useDocument } from '../../kit/document/use-document.ts';
import { PagedList } from '../../kit/paged-list.tsx';
import { PictureField } from './picture-field.tsx';
import { readPageNumber, requireStaff } from '../../kit/staff-page.ts';
import type { PictureValue } from '../order-pictures.ts';
import { formatBytes } from '../format-bytes.ts';
import styles from './pictures-page.module.css';

const MAX_ALT_LENGTH = 300;

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle('Pictures · Back office', matches) },
  { name: 'description', content: 'Uploaded pictures and where they are used.' },
];

export async function loader(args: LoaderFunctionArgs) {
  const read = requireStaff(args, '/admin/pictures', 'catalogue');
  const page = readPageNumber(new URL(args.request.url).searchParams);
  const found = await read('GET /pictures', { query: { page: String(page) } }).catch(() => null);
  return { found, page };
}

/** OPS-02: the library of uploaded pictures. */
export default function PicturesPage() {
  const { found, page } = useLoaderData<typeof loader>();
  return (
    <AdminFrame title="Pictures">
      <Section title="Add pictures" surface="outlined">
        <AddPictures />
      </Section>
      <Section title="Library">
        {found !== null && found.total > 0 && (
          <p className="muted measure">
            {found.total === 1 ? '1 picture' : `${found.total} pictures`}, {formatBytes(found.total_bytes)} of{' '}
            {formatBytes(found.max_bytes)}
          </p>
        )}
        <PagedList
          found={found}
          page={page}
          failure="The pictures could not be loaded."
          empty={
            <EmptyState title="There are no uploaded pictures.">
              <p>Pictures that you add appear here, with what shows them.</p>
            </EmptyState>
          }
        >
          {({ pictures }) => (
            <ul className={styles.list}>
              {pictures.map((picture) => (
                <Stack as="li" key={picture.id} gap={12} surface="outlined-small" className={styles.picture}>
                  <LibraryItem picture={picture} />
                </Stack>
              ))}
            </ul>
          )}
        </PagedList>
      </Section>
    </AdminFrame>
  );
}

const FAILED = { log: 'a picture could not be changed', describe: describeFailure };

/** Uploads at once; alternative texts are saved together. */
function AddPictures() {
  const [value, setValue] = useState<readonly PictureValue[]>([]);
  const { isBusy, failed, run } = useCallAction({ ...FAILED, settle: reloadPage });
  const [uploaded, setUploaded] = useState<ReadonlyMap<string, UploadedPicture>>(new Map());
  const changed = value.filter(({ path, alt }) => uploaded.get(path)?.alt !== alt);
  useLeaveWarning(changed.length > 0);

  const remember = (picture: UploadedPicture): void =>
    setUploaded((present) => new Map([...present, [picture.path, picture]]));

  const save = async () => {
    for (const { path, alt } of changed) {
      const picture = uploaded.get(path);
      if (picture === undefined) continue;
      const { id, version } = picture;
      remember(await call('PUT /pictures/{id}', { params: { id }, body: { alt, version } }));
    }
    setValue([]);
    showToast('success', 'The alternative texts were saved');
  };
  return (
    <Stack>
      <PictureField
        label="New pictures"
        hasLibrary={false}
        hint="They are stored at once. Add their alternative texts here, or later in the library."
        value={value}
        onChange={setValue}
        message={failed}
        onUploaded={(picture) => {
          remember(picture);
          void reloadPage();
        }}
      />
      {value.length > 0 && (
        <Button onClick={() => void run(save)} isBusy={isBusy} disabled={changed.length === 0}>
          Save alternative texts
        </Button>
      )}
    </Stack>
  );
}

function LibraryItem({ picture }: { readonly picture: LibraryPicture }) {
  const { id, path, width, height, bytes, alt, uses, use_count: useCount } = picture;
  const name = alt === '' ? 'this picture' : `“${alt}”`;
  return (
    <>
      <div className={styles.thumbnail}>
        <Picture path={path} alt={alt} sizes="(max-width: 767px) 90vw, 280px" />
      </div>
      <p className="muted small tabular wrap-anywhere">
        {width} × {height} pixels, {formatBytes(bytes)}
        <br />
        <Moment at={picture.created_at} shows="moment" /> by {picture.created_by}
      </p>
      <AltForm picture={picture} />
      {useCount === 0 ? (
        <ConfirmedAction
          button="Delete"
          variant="quaternary"
          isDestructive
          question={`Delete ${name}?`}
          meaning={<p>The picture and all its sizes are deleted. Nothing in the shop shows it.</p>}
          confirm="Delete"
          done="The picture was deleted"
          onConfirm={() => call('DELETE /pictures/{id}', { params: { id } })}
        />
      ) : (
        <div className="muted small tabular wrap-anywhere">
          Used by{' '}
          <ul>
            {uses.map(({ name: product, url }) => (
              <li key={url ?? product}>
                {url === null ? (
                  product
                ) : (
                  <Link to={url} className="link">
                    {product}
                  </Link>
                )}
              </li>
            ))}
            {useCount > uses.length && <li>and {useCount - uses.length} more</li>}
          </ul>
        </div>
      )}
    </>
  );
}

const toStored = ({ version, alt }: UploadedPicture) => ({ version, value: { alt } });

function AltForm({ picture }: { readonly picture: LibraryPicture }) {
  const { id } = picture;
  const { value, set, messageOf, state } = useDocument({
    name: `picture_${id}`,
    what: 'this picture',
    stored: toStored(picture),
    read: readAsIs<{ readonly alt: string }>,
    send: async ({ alt }, { version }) =>
      toStored(await call('PUT /pictures/{id}', { params: { id }, body: { alt, version } })),
    saved: 'The alternative text was saved',
  });
  return (
    <DocumentForm
      document={state}
      isInList
      gap={8}
      actions={state.isChanged && <DocumentActions document={state} save="Save" isQuiet />}
    >
      <Field
        label="Alternative text"
        value={value.alt}
        maxLength={MAX_ALT_LENGTH}
        message={messageOf('alt')}
        onChange={(event) => set({ alt: event.target.value })}
      />
    </DocumentForm>
  );
}
