/** Each page of the shop in a state that has to be arranged first, as by a login or an order. */
import { SCENES } from '../support/pages/every-page.ts';
import { testScenes } from '../support/pages/test-scenes.ts';

testScenes(SCENES.filter(({ arrange }) => arrange !== undefined));
