"""Which pieces of a notebook's code others need."""

import symtable


def reads(table):
    """Global names that a piece of code reads, in its functions too."""
    names = {
        symbol.get_name()
        for symbol in table.get_symbols()
        if symbol.is_referenced() and (symbol.is_global() or table.get_type() == "module")
    }
    return names.union(*map(reads, table.get_children()))


def binds(table):
    """Global names that a piece of code gives a value."""
    return {
        symbol.get_name()
        for symbol in table.get_symbols()
        if symbol.is_assigned() or symbol.is_imported() or symbol.is_namespace()
    }


def needed(pieces, wanted):
    """The places of what is wanted, and of all before it that gives a name it reads, in order.

    Parameters
    ----------
    pieces : list of str
        Code, cells or statements.
    wanted : collection of int
        Places in the list.
    """
    places, names = [], set()
    for place in reversed(range(len(pieces))):
        table = symtable.symtable(pieces[place], "piece", "exec")
        if place in wanted or names & binds(table):
            places.append(place)
            names = names - binds(table) | reads(table)
    return places[::-1]
