-- report.lua: for pandoc: tables scroll by themselves where the page is narrow, and the document's
-- title is its first heading.
function Table(element)
  return pandoc.Div({ element }, pandoc.Attr('', { 'wide' }))
end

function Pandoc(document)
  if document.meta.title then return nil end
  for _, block in ipairs(document.blocks) do
    if block.t == 'Header' then
      document.meta.pagetitle = pandoc.utils.stringify(block.content)
      return document
    end
  end
end
