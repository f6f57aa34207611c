/** Worker thread that renders PDFs, one at a time. */
import { handleTasks } from '#src/platform/process/task-thread.ts';
import { loadPdfFonts } from './pdf-fonts.ts';
import type { PdfDocument } from './pdf-document.ts';
import { renderPdf } from './render-pdf.ts';

const fonts = loadPdfFonts();

handleTasks(async (document: PdfDocument) => new Uint8Array(await renderPdf(document, fonts)));
