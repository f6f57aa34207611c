/** Pages that need preparation, such as a login or an order. */
import { PAGE_FIXTURES } from '../support/pages/page-fixtures.ts';
import { testPages } from '../support/pages/test-pages.ts';

testPages(PAGE_FIXTURES.filter(({ prepare }) => prepare !== undefined));
