-- filter.lua: pandoc's filter for handouts: questions with hidden answers, figures, wide tables.
--
--   ::: question        numbered; its answer folds out in HTML and stands at the end in print (metadata `print`)
--   ::: answer
--
-- Written for pandoc 2.9 and newer (Ubuntu 22.04, Debian 12).
local answers = {} -- of the printed version, in order
local count = 0
local printed = false

local function html(text) return pandoc.RawBlock('html', text) end

local function title(tag, name, class)
  return html('<' .. tag .. ' class="' .. class .. '">' .. name .. '</' .. tag .. '>')
end

-- A question: its text, then its answer where this version shows it.
local function question(div)
  count = count + 1
  local number = tostring(count)
  local blocks = { title('p', 'Predict ' .. number, 'label') }
  for _, block in ipairs(div.content) do
    if block.t == 'Div' and block.classes:includes('answer') then
      if printed then
        answers[#answers + 1] = { number = number, content = block.content }
      else
        blocks[#blocks + 1] = html('<details><summary>Answer</summary>')
        for _, inner in ipairs(block.content) do blocks[#blocks + 1] = inner end
        blocks[#blocks + 1] = html('</details>')
      end
    else
      blocks[#blocks + 1] = block
    end
  end
  return pandoc.Div(blocks, pandoc.Attr('predict-' .. number, { 'question' }))
end

-- A warning or an aside: ::: trap, ::: note.
local labels = { trap = 'Trap', note = 'Note' }

local function div(element)
  if element.classes:includes('question') then return question(element) end
  for class, label in pairs(labels) do
    if element.classes:includes(class) then
      table.insert(element.content, 1, title('p', label, 'label'))
      return element
    end
  end
end

-- Tables and code may be wider than a phone: they scroll by themselves.
local function wide(element) return pandoc.Div({ element }, pandoc.Attr('', { 'wide' })) end

-- `32 × 8` and `85 µs` stay on one line.
local function inlines(list)
  local function is(index, text) return list[index] and list[index].t == 'Str' and list[index].text:match(text) end
  for index, element in ipairs(list) do
    if element.t == 'Space' and (is(index - 1, '^×$') or is(index + 1, '^×$') or (is(index - 1, '%d$') and is(index + 1, '^µs')) or
        (is(index - 1, '%d$') and is(index + 1, '^ms'))) then
      list[index] = pandoc.Str('\u{a0}')
    end
  end
  return list
end

-- On paper a link to another handout is only its words: a PDF would keep the path of the machine that made it.
local function link(element)
  if printed and not element.target:match('^https?:') and not element.target:match('^#') then return element.content end
end

local function document(doc)
  local blocks = {}
  for _, block in ipairs(doc.blocks) do
    if block.t == 'Div' then block = div(block) or block end
    blocks[#blocks + 1] = block
  end
  if #answers > 0 then
    blocks[#blocks + 1] = pandoc.Header(2, 'Answers', pandoc.Attr('answers'))
    for _, answer in ipairs(answers) do
      local content = { title('p', 'Predict ' .. answer.number, 'label') }
      for _, block in ipairs(answer.content) do content[#content + 1] = block end
      blocks[#blocks + 1] = pandoc.Div(content, pandoc.Attr('', { 'printed-answer' }))
    end
  end
  return pandoc.Pandoc(blocks, doc.meta)
end

local function meta(metadata) printed = metadata.print ~= nil end

return { { Meta = meta }, { Table = wide, Link = link, Inlines = inlines }, { Pandoc = document } }
