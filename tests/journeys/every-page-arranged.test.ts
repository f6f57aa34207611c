/** Each page of the shop in a state that has to be arranged first, as by a login or an order. */
import { PAGE_FIXTURES } from '../support/pages/page-fixtures.ts';
import { testScenes } from '../support/pages/test-scenes.ts';

testScenes(PAGE_FIXTURES.filter(({ prepare }) => prepare !== undefined));
