/**
 * The accessibility statement as long as the shop has written none. It states only what the tests of the program check;
 * of texts, pictures and products of the shop it knows nothing.
 */
export const STANDARD_ACCESSIBILITY = {
  summary: 'What was checked of this website, what was not, and where to report a barrier.',
  markdown: `## What was checked

The program of this shop is tested automatically before each release. These tests open every page in a browser, as wide as a phone and as wide as a desktop screen:

- **Rules of accessibility:** the axe engine finds no serious or critical problem, in the light and in the dark colour scheme. Its rules follow the Web Content Accessibility Guidelines (WCAG).
- **Keyboard:** everything that can be clicked is reached by keyboard, and a purchase can be completed with it.
- **Large text:** pages fit at a zoom of 200 %, and with wider spacing of letters, words and lines.
- **Your settings:** pages follow reduced motion and forced colours, and work while the browser translates them.
- **Without scripts:** products, cart and login can be used without JavaScript. Paying in the checkout needs it.

## What was not checked

No outside expert and nobody who uses assistive technology every day has assessed this website, so we do not claim that it conforms to a standard as a whole. Automatic tests do not judge whether texts are easy to understand, or whether a picture is described well.

## Report a barrier

Is something hard or impossible to use? Write to us on the [contact page](/contact). Name the page and what you tried to do, and we answer and look for another way until it is fixed.
`,
} as const;
