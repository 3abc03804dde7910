module Main where
import Data.List (sort)
-- | doc
main :: IO ()
main = do
  x <- getLine
  if x == "a" && y then print 1 else if z then print 2 else print 3
fact :: (a -> b) -> Int -> Int
fact 0 = 1
fact n | n > 0, n < 5 = n
       | otherwise = go n
  where go 1 = 2
        go m = case m of
          1 -> 2
          _ -> \x -> x || y
instance Show Foo where
  show (Foo a) = a
xs = [a | a <- b, a > 1, let c = 2]
f = \case
  1 -> 2
  x | x > 3 -> 4
g =
  if
    | a -> 1
    | otherwise -> 2
a <+> b = a
