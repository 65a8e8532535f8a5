"""Plain tables."""


def render(header, rows):
    """Lines with columns as wide as they must be; numbers, being text that begins with a digit, to the right."""
    cells = [header, *[[str(cell) for cell in row] for row in rows]]
    widths = [max(len(row[column]) for row in cells) for column in range(len(header))]
    numeric = [all(row[column][:1].isdigit() or row[column] in ("", "-") for row in cells[1:])
               for column in range(len(header))]

    def line(row):
        aligned = (cell.rjust(width) if right else cell.ljust(width)
                   for cell, width, right in zip(row, widths, numeric))
        return "  ".join(aligned).rstrip()

    return "\n".join([line(header), line(["-" * width for width in widths]), *map(line, cells[1:])])


def seconds(value):
    return f"{value:.4f}" if value < 1 else f"{value:.3f}"


def ratio(spread):
    return f"{spread.median:.2f} ({spread.least:.2f}-{spread.most:.2f})"
