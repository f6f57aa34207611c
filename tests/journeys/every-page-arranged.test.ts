/** Pages that need preparation, such as a login or an order. */
import { PAGE_FIXTURES } from '../support/pages/page-fixtures.ts';
import { testScenes } from '../support/pages/test-scenes.ts';

testScenes(PAGE_FIXTURES.filter(({ prepare }) => prepare !== undefined));
