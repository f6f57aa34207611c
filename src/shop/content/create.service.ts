/** Creates the services of the content slice. */
import type { EditingOptions } from '#src/shop/editing/service.ts';
import { FaqEditor } from './faq/service.ts';
import { GuideEditor } from './guide/service.ts';
import type { PictureLibrary } from './home/pictures.service.ts';
import { HomeEditor } from './home/service.ts';
import { LegalEditor } from './legal/service.ts';
import { Content } from './service.ts';
import type { ContentOptions } from './service.ts';

export interface ContentSlice {
  readonly content: Content;
  readonly homeEditor: HomeEditor;
  readonly faqEditor: FaqEditor;
  readonly guideEditor: GuideEditor;
  readonly legalEditor: LegalEditor;
}

export type CreateOptions = ContentOptions & EditingOptions & { readonly pictures: PictureLibrary };

export async function createContent(options: CreateOptions): Promise<ContentSlice> {
  const content = await Content.open(options);
  return {
    content,
    homeEditor: new HomeEditor({ ...options, content }),
    faqEditor: new FaqEditor(options),
    guideEditor: new GuideEditor(options),
    legalEditor: new LegalEditor(options),
  };
}
