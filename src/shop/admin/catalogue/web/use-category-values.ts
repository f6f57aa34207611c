import type { StructureCategory } from '#src/shop/catalogue/editing/contract.ts';
import { call } from '#src/storefront/call.ts';
import { describeFailureWithFields } from '#src/storefront/forms/describe-failure.ts';
import { useCallAction } from '#src/storefront/forms/use-call-action.ts';
import { reloadPage } from '#src/storefront/reload-page.ts';
import { addCategoryValue, findSame, sortCategoryValues } from '../category-values.ts';

async function readCategory(id: string): Promise<StructureCategory> {
  const { categories } = await call('GET /catalogue/structure');
  const category = categories.find((one) => one.id === id);
  if (category === undefined) throw new Error(`there is no category ${id}`);
  return category;
}

async function findValue(categoryId: string, propertyId: string, value: string) {
  const { properties } = await readCategory(categoryId);
  return findSame(properties.find(({ id }) => id === propertyId)?.values ?? [], value);
}

type Properties = ReturnType<typeof addCategoryValue>;

/** Changes the values of a category at once, apart from the product. */
async function changeProperties(id: string, change: (category: StructureCategory) => Properties): Promise<void> {
  const category = await readCategory(id);
  const { version, name, slug } = category;
  await call('PUT /catalogue/categories/{id}', {
    params: { id },
    body: { version, name, slug, properties: change(category) },
  });
}

/** Creates and sorts values of one property for all products of its category. */
export function useCategoryValues(categoryId: string, propertyId: string) {
  const { run, failed, isBusy, show } = useCallAction({
    log: 'the values of the category were not changed',
    describe: describeFailureWithFields,
  });
  return {
    failed,
    isBusy,
    forget: (): void => show(null),
    /** @param use called with the id of the new value, or of one that others created meanwhile */
    create: (value: string, use: (id: string) => void): Promise<boolean> =>
      run(async () => {
        if ((await findValue(categoryId, propertyId, value)) === undefined) {
          await changeProperties(categoryId, (category) => addCategoryValue(category, propertyId, value));
        }
        const created = await findValue(categoryId, propertyId, value);
        await reloadPage();
        if (created !== undefined) use(created.id);
      }),
    reorder: (ids: readonly string[]): Promise<boolean> =>
      run(async () => {
        await changeProperties(categoryId, (category) => sortCategoryValues(category, propertyId, ids));
        await reloadPage();
      }),
  };
}
