/** Creates the services of the content slice. */
import { FaqEditor } from '#src/shop/content/faq/service.ts';
import { GuideEditor } from '#src/shop/content/guide/service.ts';
import type { PictureLibrary } from '#src/shop/content/home/pictures.service.ts';
import { HomeEditor } from '#src/shop/content/home/service.ts';
import { LegalEditor } from '#src/shop/content/legal/service.ts';
import { Content } from '#src/shop/content/service.ts';
import type { ContentOptions } from '#src/shop/content/service.ts';
import type { EditingOptions } from '#src/shop/editing/service.ts';

export interface ContentSliceOptions extends ContentOptions, EditingOptions {
  readonly pictures: PictureLibrary;
}

export async function createContent({ clock, db, figures, parser, pictures, prices, revisions }: ContentSliceOptions) {
  const content = await Content.open({ db, prices, figures, parser });
  return {
    content,
    homeEditor: new HomeEditor({ db, clock, revisions, content, prices, pictures }),
    faqEditor: new FaqEditor({ db, clock, revisions }),
    guideEditor: new GuideEditor({ db, clock, revisions, parser }),
    legalEditor: new LegalEditor({ db, clock, revisions, figures, parser }),
  };
}

export type ContentSlice = Awaited<ReturnType<typeof createContent>>;
