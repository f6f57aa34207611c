/** Pages of staff. */
import { isStaffPage, PAGE_FIXTURES } from '../support/pages/page-fixtures.ts';
import { testPages } from '../support/pages/test-pages.ts';

testPages(PAGE_FIXTURES.filter((fixture) => fixture.prepare !== undefined && isStaffPage(fixture)));
