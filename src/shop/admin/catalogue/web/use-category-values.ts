import type { StructureCategory } from '#src/shop/catalogue/editing/contract.ts';
import { call } from '#src/storefront/call.ts';
import { describeFailureWithFields } from '#src/storefront/forms/describe-failure.ts';
import { useCallAction } from '#src/storefront/forms/use-call-action.ts';
import { reloadPage } from '#src/storefront/reload-page.ts';
import { addCategoryValues, findSame, sortCategoryValues } from '../category-values.ts';

async function readCategory(id: string): Promise<StructureCategory> {
  const { categories } = await call('GET /catalogue/structure');
  const category = categories.find((one) => one.id === id);
  if (category === undefined) throw new Error(`there is no category ${id}`);
  return category;
}

type CategoryValue = StructureCategory['properties'][number]['values'][number];

async function findValues(categoryId: string, propertyId: string, names: readonly string[]) {
  const { properties } = await readCategory(categoryId);
  const values = properties.find(({ id }) => id === propertyId)?.values ?? [];
  return names.flatMap((name) => findSame(values, name) ?? []);
}

type Properties = ReturnType<typeof addCategoryValues>;

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
    /**
     * Creates those that do not exist yet, all or none.
     * @param use called with all of them, as they are stored
     */
    create: (names: readonly string[], use: (values: readonly CategoryValue[]) => void): Promise<boolean> =>
      run(async () => {
        if ((await findValues(categoryId, propertyId, names)).length < names.length) {
          await changeProperties(categoryId, (category) => addCategoryValues(category, propertyId, names));
        }
        const created = await findValues(categoryId, propertyId, names);
        await reloadPage();
        use(created);
      }),
    reorder: (ids: readonly string[]): Promise<boolean> =>
      run(async () => {
        await changeProperties(categoryId, (category) => sortCategoryValues(category, propertyId, ids));
        await reloadPage();
      }),
  };
}
