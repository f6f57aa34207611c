/** A product CSV as Shopify exports it: its odd columns, line ends, byte order mark and HTML included. */

const HEAD =
  'Handle,Title,Body (HTML),Vendor,Product Category,Type,Tags,Published,Option1 Name,Option1 Value,Option1 Linked To,Option2 Name,Option2 Value,Option2 Linked To,Option3 Name,Option3 Value,Option3 Linked To,Variant SKU,Variant Grams,Variant Inventory Tracker,Variant Inventory Qty,Variant Inventory Policy,Variant Fulfillment Service,Variant Price,Variant Compare At Price,Variant Requires Shipping,Variant Taxable,Unit Price Total Measure,Variant Barcode,Image Src,Image Position,Image Alt Text,Gift Card,SEO Title,SEO Description,Google Shopping / Google Product Category,Google Shopping / MPN,Color (product.metafields.shopify.color-pattern),Variant Image,Variant Weight Unit,Variant Tax Code,Cost per item,Included / United States,Price / International,Status';

const columns = HEAD.split(',');

const quote = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

const createLine = (cells: Readonly<Record<string, string>>): string =>
  columns.map((column) => quote(cells[column] ?? '')).join(',');

const variant = {
  'Variant Grams': '850.0',
  'Variant Inventory Tracker': 'shopify',
  'Variant Inventory Policy': 'deny',
  'Variant Fulfillment Service': 'manual',
  'Variant Requires Shipping': 'true',
  'Variant Taxable': 'true',
  'Variant Weight Unit': 'kg',
  'Included / United States': 'true',
};

const lines = [
  createLine({
    ...variant,
    Handle: 'desk-lamp',
    Title: 'Desk Lamp "Luna"',
    'Body (HTML)':
      '<p>A lamp for <strong>long</strong> evenings &amp; short nights.</p>\n<ul>\n<li>Dimmable</li>\n<li>LED, 9&nbsp;W</li>\n</ul><script>alert(1)</script>',
    Vendor: 'Lumen & Sons',
    'Product Category': 'Home & Garden > Lighting > Lamps',
    Type: 'Lamps',
    Tags: 'lamp, led, "sale"',
    Published: 'true',
    'Option1 Name': 'Color',
    'Option1 Value': 'Black',
    'Option2 Name': 'Plug',
    'Option2 Value': 'EU',
    'Variant SKU': 'LUNA-BK-EU',
    'Variant Inventory Qty': '12',
    'Variant Price': '49.00',
    'Variant Compare At Price': '59.00',
    'Variant Barcode': "'4006381333931",
    'Image Src': '/api/images/products/airtag/front.avif',
    'Image Position': '1',
    'Image Alt Text': 'A black lamp',
    'Gift Card': 'false',
    'SEO Title': 'Luna',
    Status: 'active',
  }),
  createLine({
    ...variant,
    Handle: 'desk-lamp',
    'Option1 Value': 'Black',
    'Option2 Value': 'UK',
    'Variant SKU': 'LUNA-BK-UK',
    'Variant Inventory Qty': '-2',
    'Variant Price': '54.00',
    'Variant Barcode': 'n/a',
    'Image Src': 'https://cdn.shopify.com/s/files/1/0001/lamp.jpg?v=1699',
    'Image Position': '2',
  }),
  createLine({
    ...variant,
    Handle: 'desk-lamp',
    'Option1 Value': 'White',
    'Option2 Value': 'EU',
    'Variant SKU': 'LUNA-WH-EU',
    'Variant Inventory Tracker': '',
    'Variant Price': '52.00',
    'Variant Inventory Policy': 'continue',
  }),
  createLine({ Handle: 'desk-lamp', 'Image Src': '/api/images/products/airtag/side.avif', 'Image Position': '3' }),
  createLine({
    ...variant,
    Handle: 'Größe_XL--Poster',
    Title: '=SUM(A1) poster',
    'Body (HTML)': 'Plain text,\r\nover two lines',
    Vendor: 'lumen & sons',
    'Product Category': 'Home & Garden > Decor > Posters',
    Published: 'true',
    'Option1 Name': 'Title',
    'Option1 Value': 'Default Title',
    'Variant SKU': '',
    'Variant Inventory Qty': '3',
    'Variant Price': '9.5',
    Status: 'draft',
  }),
];

/** Two products with three and one variants. */
export const SHOPIFY_EXPORT = `\uFEFF${[HEAD, ...lines].join('\r\n')}\r\n`;
