import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { fillDocument } from '#src/platform/markdown/fill-document.ts';
import { parseMarkdown } from '#src/platform/markdown/parse-markdown.ts';
import { composeGuarantee } from './compose-guarantee.ts';
import { composeTerms } from './compose-terms.service.ts';
import { composeForm, composeInstruction } from './compose-withdrawal.ts';
import { layOutTerms } from './lay-out-terms.ts';
import type { TermsDocument } from './terms-content.ts';

const SHOP = 'https://shop.example';
const compose = (markdown: string): TermsDocument => composeTerms(fillDocument(parseMarkdown(markdown)), 3, SHOP);
const toText = ({ sections }: TermsDocument): string =>
  sections.map(({ heading, paragraphs }) => [heading, ...paragraphs].join('\n')).join('\n');

test('[RET-09] terms keep headings, lists and the addresses of links', () => {
  const terms = compose(
    'Read **this** first.\n\n## Price\n\n- In dollars\n- See [Returns](/returns) or <https://law.example>\n\n[Mail](mailto:a@shop.example)',
  );
  assert.deepEqual(terms, {
    title: 'Terms and conditions (version 3)',
    sections: [
      { heading: '', paragraphs: ['Read this first.'] },
      {
        heading: 'Price',
        paragraphs: [
          '• In dollars\n• See Returns (https://shop.example/returns) or https://law.example',
          'Mail (a@shop.example)',
        ],
      },
    ],
  });
});

const words = fc.array(fc.stringMatching(/^[a-zà-ü漢字]{1,12}$/), { minLength: 1, maxLength: 400 });

test('[RET-09] each word of any terms is in the text and in the PDF, in order', () => {
  fc.assert(
    fc.property(fc.array(words, { minLength: 1, maxLength: 4 }), (paragraphs) => {
      const markdown = paragraphs.map((one, index) => `## Part${index}\n\n${one.join(' ')}`).join('\n\n');
      const expected = paragraphs.flatMap((one, index) => [`Part${index}`, ...one]);
      const terms = compose(markdown);
      assert.deepEqual(toText(terms).split(/\s+/), expected);
      const { blocks } = layOutTerms({ seller: 'Shop', documents: [terms] }, new Date(0));
      const printed = blocks.flatMap((block) =>
        block.kind === 'heading' || block.kind === 'paragraph' ? block.text : [],
      );
      assert.ok(printed.every((text) => text.length <= 1_500));
      assert.deepEqual(
        printed.flatMap((text) => text.split(' ')),
        expected,
      );
    }),
  );
});

test('[RET-09] a paragraph without spaces is divided for the PDF, and no character is lost', () => {
  const long = '😀'.repeat(2_000);
  const document = { title: 'Long', sections: [{ heading: '', paragraphs: [long] }] };
  const { blocks } = layOutTerms({ seller: '', documents: [document] }, new Date(0));
  const pieces = blocks.flatMap((block) => (block.kind === 'paragraph' ? block.text : []));
  assert.ok(pieces.length > 2 && pieces.every((piece) => piece.isWellFormed()));
  assert.equal(pieces.join(''), long);
});

const SELLER = { name: 'Bikes Ltd', address: '1 Mill Lane,\nLeeds', email: 'hello@bikes.example', phone: '+44 20 1' };
const instruct = (facts: { returnAddress?: string; paysReturn?: boolean } = {}): string =>
  toText(
    composeInstruction({
      seller: SELLER,
      returnAddress: '',
      paysReturn: false,
      withdrawalUrl: `${SHOP}/withdrawal`,
      ...facts,
    }),
  );

test('[RET-09] the instruction names the seller, the function and who pays for returning', () => {
  const text = instruct();
  assert.ok(text.includes('inform us (Bikes Ltd, 1 Mill Lane, Leeds, +44 20 1, hello@bikes.example) of your decision'));
  assert.ok(text.includes('online at https://shop.example/withdrawal. If you use this online function,'));
  assert.ok(text.includes('within 14 days without giving any reason'));
  assert.ok(text.includes('or hand them over to us, without undue delay'));
  assert.match(text, /You will have to bear the direct cost of returning the goods\./);
  const other = instruct({ returnAddress: 'Returns dock 2\nLeeds', paysReturn: true });
  assert.ok(other.includes('hand them over to us at Returns dock 2, Leeds, without'));
  assert.match(other, /We will bear the cost of returning the goods\./);
  assert.doesNotMatch(other, /direct cost/);
});

test('[RET-09] the form is addressed to the seller, also if little of it is known', () => {
  assert.ok(toText(composeForm(SELLER)).includes('— To Bikes Ltd, 1 Mill Lane, Leeds, hello@bikes.example:'));
  const unknown = { name: '', address: '', email: '', phone: '' };
  assert.ok(toText(composeForm(unknown)).includes('— To the seller:'));
});

test('[RET-09] the reminder of the legal guarantee has the main elements of the law', () => {
  const text = toText(composeGuarantee(SHOP));
  for (const element of [
    /at least two years/,
    /law of your country may give you more time/,
    /repair or replacement, free of charge/,
    /a lower price/,
    /full refund/,
    /never limits it/,
    /https:\/\/shop\.example\/contact/,
  ])
    assert.match(text, element);
});
