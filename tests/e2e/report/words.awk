# words.awk: can the words of charts be read? None may lie over others, or reach over the picture's edge.
#     awk -f svg.awk -f words.awk CHART.svg
# Prints a line for each that does.
END {
  for (i = 1; i <= texts; i++) {
    wide = words_width(text_words[i], text_size[i])
    x = text_anchor[i] == "end" ? text_x[i] - wide : text_anchor[i] == "middle" ? text_x[i] - wide / 2 : text_x[i]
    left[i] = x; right[i] = x + wide; top[i] = text_y[i] - 0.74 * text_size[i]; bottom[i] = text_y[i] + 0.2 * text_size[i]
    if (text_turned[i]) { # by 90 degrees, about x and y; all of these are centred
      left[i] = text_x[i] - 0.74 * text_size[i]; right[i] = text_x[i] + 0.2 * text_size[i]
      top[i] = text_y[i] - wide / 2; bottom[i] = text_y[i] + wide / 2
    }
    if (wide > 0 && (left[i] < 0 || top[i] < 0 || right[i] > picture_width || bottom[i] > picture_height))
      printf "outside of the picture: %s\n", text_words[i]
    for (j = 1; j < i; j++) {
      if (left[i] < right[j] - 1 && left[j] < right[i] - 1 && top[i] < bottom[j] - 1 && top[j] < bottom[i] - 1)
        printf "\"%s\" and \"%s\" lie over each other\n", text_words[j], text_words[i]
    }
  }
  if (texts == 0) print "there are no words"
}
